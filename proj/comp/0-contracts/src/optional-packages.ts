/**
 * Packages that hermes uses where they are installed: too large for everyone, or made for one machine only. With the
 * major version that it is made for, as `peerDependencies` and `optionalDependencies` of package.json have them.
 */
const MAJOR_VERSIONS: Readonly<Record<string, number>> = {
  '@lydell/node-pty': 1, '@vscode/ripgrep': 1, bullmq: 6, ioredis: 6, typescript: 6,
}

/** How a user adds packages to hermes: one line. */
export function addPackages(...names: readonly string[]): string {
  const packages = names.map((name) => (MAJOR_VERSIONS[name] === undefined ? name : `${name}@${MAJOR_VERSIONS[name]}`))
  return `npm install ${packages.join(' ')}, where hermes is installed (npm install -g for a global one)`
}
