// The first step of every script. Plain JavaScript, so that any Node can run it and say what to do.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Node ${process.versions.node} is too old (22.18 is needed): run \`npm rebuild node --ignore-scripts=false\` ` +
      "to get the Node 24 that this project brings along, or put a newer Node first in the PATH.",
  );
  process.exit(1);
}
