// How each SDK is pointed at this server.

/** Entries are [name, text]. `auth` and `firestore` are host:port. */
export function sdkSnippets({ auth, firestore, project, console: page }) {
  const [host, port] = split(firestore);
  return [
    ["Environment", `export FIREBASE_AUTH_EMULATOR_HOST=${auth}
export FIRESTORE_EMULATOR_HOST=${firestore}
export GCLOUD_PROJECT=${project}
export HEARTH_CONSOLE_URL=${page}`],
    ["Web", `import { initializeApp } from "firebase/app";
import { getAuth, connectAuthEmulator } from "firebase/auth";
import { getFirestore, connectFirestoreEmulator } from "firebase/firestore";

const app = initializeApp({ projectId: "${project}", apiKey: "any" });
connectAuthEmulator(getAuth(app), "http://${auth}", { disableWarnings: true });
connectFirestoreEmulator(getFirestore(app), "${host}", ${port});`],
    ["Swift", `import FirebaseAuth
import FirebaseCore
import FirebaseFirestore

FirebaseApp.configure()
Auth.auth().useEmulator(withHost: "${split(auth)[0]}", port: ${split(auth)[1]})
Firestore.firestore().useEmulator(withHost: "${host}", port: ${port})`],
    ["Kotlin", `// 10.0.2.2 is this machine, seen from the Android emulator.
Firebase.auth.useEmulator("10.0.2.2", ${split(auth)[1]})
Firebase.firestore.useEmulator("10.0.2.2", ${port})`],
    ["Flutter", `await FirebaseAuth.instance.useAuthEmulator('${split(auth)[0]}', ${split(auth)[1]});
FirebaseFirestore.instance.useFirestoreEmulator('${host}', ${port});`],
    ["Node Admin", `process.env.FIREBASE_AUTH_EMULATOR_HOST = "${auth}";
process.env.FIRESTORE_EMULATOR_HOST = "${firestore}";
const { initializeApp } = require("firebase-admin/app");
initializeApp({ projectId: "${project}" });`],
    ["Python Admin", `import os
os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = "${auth}"
os.environ["FIRESTORE_EMULATOR_HOST"] = "${firestore}"
import firebase_admin
firebase_admin.initialize_app(options={"projectId": "${project}"})`],
    ["Go Admin", `os.Setenv("FIREBASE_AUTH_EMULATOR_HOST", "${auth}")
os.Setenv("FIRESTORE_EMULATOR_HOST", "${firestore}")
app, err := firebase.NewApp(ctx, &firebase.Config{ProjectID: "${project}"})`],
    ["curl", `curl 'http://${auth}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any' \\
  -H 'Content-Type: application/json' -d '{"email": "ann@example.com", "password": "secret 1"}'
hearth mail --to ann@example.com --wait 10s --code`],
  ];
}

function split(address) {
  const { hostname, port } = new URL(`http://${address}`);
  return [hostname, port || "80"];
}
