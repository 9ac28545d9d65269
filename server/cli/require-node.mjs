// @ts-check
/** Imported before anything else, for its effect: an old Node's own error would not say what to do. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Muster needs Node.js 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}
