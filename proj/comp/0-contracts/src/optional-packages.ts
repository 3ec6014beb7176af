/**
 * Packages that hermes uses where they are installed: too large for everyone, or made for one machine only. With the
 * version whose content it knows (`2-packages`), so that it may also be installed where runs write.
 */
const VERSIONS: Readonly<Record<string, string>> = {
  '@lydell/node-pty': '1.1.0', '@vscode/ripgrep': '1.18.0', typescript: '6.0.3',
}

/** How a user adds packages to hermes: one line. */
export function addPackages(...names: readonly string[]): string {
  const packages = names.map((name) => (VERSIONS[name] === undefined ? name : `${name}@${VERSIONS[name]}`))
  return `npm install ${packages.join(' ')}, where hermes is installed (npm install -g for a global one)`
}
