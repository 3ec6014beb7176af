/**
 * Settings of npm and pnpm that name a program, code to load, or another place for either, also by whom it is fetched.
 * In a project's `.npmrc` they count for the next `npx hermes`.
 */
const PROGRAMS = new Set([
  'node-options', 'script-shell', 'shell', 'prefix', 'globalconfig', 'userconfig', 'cache', 'call', 'package', 'git',
  'node-gyp', 'onload-script', 'editor', 'viewer', 'browser', 'location', 'global', 'workspace', 'workspaces',
  'scripts-prepend-node-path', 'npm-path', 'pnpmfile', 'global-pnpmfile', 'use-node-version', 'init-module',
  'registry', 'replace-registry-host', 'proxy', 'http-proxy', 'https-proxy', 'strict-ssl', 'ca', 'cafile',
])

/** Of the text of an `.npmrc` the lines by which a program may be started, as they are, and the rest. */
export function settingsOf(text: string): { programs: string[]; others: string[] } {
  const lines = text.split(/\r\n|\r|\n/)
  const isProgram = lines.map(namesProgram)
  return { programs: lines.filter((_, at) => isProgram[at]), others: lines.filter((_, at) => !isProgram[at]) }
}

/** The text with just these of the settings that start programs, and all else as it is. */
export function withPrograms(text: string, programs: readonly string[]): string {
  const others = settingsOf(text).others.join('\n')
  return programs.length === 0 ? others : `${programs.join('\n')}\n${others}`
}

/** A section, by which all lines after it are read as its own. */
export function opensSection(line: string): boolean {
  return line.startsWith('[')
}

/**
 * npm cuts names at `;` and `#`, takes off two layers of quotes and the mark of a list, and fills in variables. Only
 * names in which nothing is to be cut, taken off or filled in are looked up: any other is as good as a program's.
 */
function namesProgram(line: string): boolean {
  const end = line.indexOf('=')
  const key = (end === -1 ? line : line.slice(0, end)).trim()
  if (key === '' || /^[;#]/.test(key)) return false
  const plain = /^([\w.:@/~%-]+)(?:\[\])?$/.exec(key)?.[1]
  const name = plain?.toLowerCase().replaceAll('_', '-')
  return name === undefined || name.endsWith(':registry') || PROGRAMS.has(name)
}
