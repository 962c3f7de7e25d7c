import HearthOperations

/// What a test or a person steers a running server with.
enum ControlRoutes {
  private static let project = "/emulator/v1/projects/{targetProjectId}"

  static let all: [Route] = [
    Route("GET", "/console", "hearth.console", .control, .served(.console)),
    Route("GET", "/console/", "hearth.console", .control, .served(.console)),
    Route(
      "GET", "/console/assets/{asset}", "hearth.console.asset", .control, .served(.console)),
    Route("GET", "/emulator/v1/projects", "hearth.projects.list", .control, .served(.projects)),
    Route("GET", project + "/clock", "hearth.clock.get", .control, .served(.clock)),
    Route(
      "PATCH", project + "/clock", "hearth.clock.update", .control, body: .json(message: nil),
      .served(.clock)),
    Route("DELETE", project + "/clock", "hearth.clock.reset", .control, .served(.clock)),
    Route("GET", project + "/faults", "hearth.faults.list", .control, .served(.faults)),
    Route(
      "PUT", project + "/faults", "hearth.faults.replace", .control, body: .json(message: nil),
      .served(.faults)),
    Route(
      "POST", project + "/faults", "hearth.faults.add", .control, body: .json(message: nil),
      .served(.faults)),
    Route("DELETE", project + "/faults", "hearth.faults.clear", .control, .served(.faults)),
    Route(
      "GET", project + "/requests", "hearth.requests.list", .control, query: [.init("all")],
      .served(.requests)),
    Route(
      "DELETE", project + "/requests", "hearth.requests.clear", .control, .served(.requests)),
    // Not a control endpoint: those answer to pages of this machine too.
    Route(
      "POST", "/shutdown", "emulator.firestore.shutdown", .open, .served(.shutdown),
      differs: ["refuses web pages; 403 under `hearth exec`"]),
    Route("GET", project + "/events", "hearth.events.watch", .control, .served(.events)),
  ]
}
