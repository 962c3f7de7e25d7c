import HearthClient

print("uses \(HearthClient.self)")
