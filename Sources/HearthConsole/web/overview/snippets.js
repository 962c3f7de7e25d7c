// How each SDK is pointed at this server.

/**
 * Entries are [name, text]. `auth` and `firestore` are host:port; `unsigned` is the port with unsigned
 * tokens, `google` the mode as Google; both may be missing.
 */
export function sdkSnippets({ auth, firestore, project, console: page, unsigned, google }) {
  const [host, port] = split(firestore);
  return [
    ...(google ? [["Environment", asGoogle(google, project)]] : [[
      "Environment",
      `export FIREBASE_AUTH_EMULATOR_HOST=${auth}
export FIRESTORE_EMULATOR_HOST=${firestore}
export GCLOUD_PROJECT=${project}
export HEARTH_CONSOLE_URL=${page}`,
    ]]),
    [
      "Web",
      `import { initializeApp } from "firebase/app";
import { getAuth, connectAuthEmulator } from "firebase/auth";
import { getFirestore, connectFirestoreEmulator } from "firebase/firestore";

const app = initializeApp({ projectId: "${project}", apiKey: "any" });
connectAuthEmulator(getAuth(app), "http://${auth}", { disableWarnings: true });
connectFirestoreEmulator(getFirestore(app), "${host}", ${port});`,
    ],
    [
      "Swift",
      `import FirebaseAuth
import FirebaseCore
import FirebaseFirestore

FirebaseApp.configure()
Auth.auth().useEmulator(withHost: "${split(auth)[0]}", port: ${split(auth)[1]})

// useEmulator of Firestore would leave TLS on.
let settings = Firestore.firestore().settings
settings.host = "${firestore}"
settings.isSSLEnabled = false
settings.cacheSettings = MemoryCacheSettings()
Firestore.firestore().settings = settings`,
    ],
    [
      "Kotlin",
      `// 10.0.2.2 is this machine, seen from the Android emulator.
Firebase.auth.useEmulator("10.0.2.2", ${split(auth)[1]})
Firebase.firestore.useEmulator("10.0.2.2", ${port})`,
    ],
    [
      "Flutter",
      `await FirebaseAuth.instance.useAuthEmulator('${split(auth)[0]}', ${split(auth)[1]});
FirebaseFirestore.instance.useFirestoreEmulator('${host}', ${port});`,
    ],
    ...(google
      ? productionCode(project)
      : emulatorCode({ auth, firestore, project, page, unsigned })),
  ];
}

/** What leads a shell to Hearth. */
const asGoogle = (
  { folder },
  project,
) => (folder
  ? `. ${folder}/env.sh`
  : `# Start the server with --trust-out DIR; then, in the shell of the program: . DIR/env.sh
# Or let Hearth start the program:
hearth exec --as-google --project ${project} -- COMMAND`);

/** As Google, back ends run as they are. */
const productionCode = (project) => [
  [
    "Node Admin",
    `// As in production; the environment does the rest.
const { initializeApp } = require("firebase-admin/app");
initializeApp({ projectId: "${project}" });`,
  ],
  [
    "Python Admin",
    `# As in production; the environment does the rest.
import firebase_admin
firebase_admin.initialize_app(options={"projectId": "${project}"})`,
  ],
  [
    "Go Admin",
    `// As in production; the environment does the rest.
app, err := firebase.NewApp(ctx, &firebase.Config{ProjectID: "${project}"})`,
  ],
  [
    "curl",
    `curl https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com`,
  ],
];

function emulatorCode({ auth, firestore, project, page, unsigned }) {
  const portWords = unsigned
    ? "// This port issues the unsigned tokens that the SDK asks for."
    : "// The SDK refuses signed tokens of an emulator: start Hearth with --tokens none, or with\n" +
      "// --unsigned-auth-port, and use that port here.";
  const accounts = `http://${auth}/identitytoolkit.googleapis.com/v1/accounts`;
  return [
    [
      "Node Admin",
      `${portWords}
process.env.FIREBASE_AUTH_EMULATOR_HOST = "${unsigned ?? auth}";
process.env.FIRESTORE_EMULATOR_HOST = "${firestore}";
const { initializeApp } = require("firebase-admin/app");
initializeApp({ projectId: "${project}" });`,
    ],
    [
      "Python Admin",
      `import os
os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = "${auth}"
os.environ["FIRESTORE_EMULATOR_HOST"] = "${firestore}"
import firebase_admin
firebase_admin.initialize_app(options={"projectId": "${project}"})`,
    ],
    [
      "Go Admin",
      `os.Setenv("FIREBASE_AUTH_EMULATOR_HOST", "${auth}")
os.Setenv("FIRESTORE_EMULATOR_HOST", "${firestore}")
app, err := firebase.NewApp(ctx, &firebase.Config{ProjectID: "${project}"})`,
    ],
    [
      "curl",
      `curl '${accounts}:signUp?key=${project}' \\
  --json '{"email": "ann@example.com", "password": "secret 1"}'
curl '${accounts}:sendOobCode?key=${project}' \\
  --json '{"requestType": "PASSWORD_RESET", "email": "ann@example.com"}'
hearth mail --address ${page} --project ${project} --to ann@example.com --wait 10s --code`,
    ],
  ];
}

function split(address) {
  const { hostname, port } = new URL(`http://${address}`);
  return [hostname, port || "80"];
}
