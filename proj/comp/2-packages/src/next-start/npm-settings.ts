/**
 * Settings of npm and pnpm that name a program, code to load, or where or by whom these are fetched. In a project's
 * `.npmrc` they affect the next `npx hermes`.
 */
const PROGRAMS = new Set([
  'node-options', 'script-shell', 'shell', 'prefix', 'globalconfig', 'userconfig', 'cache', 'call', 'package', 'git',
  'node-gyp', 'onload-script', 'editor', 'viewer', 'browser', 'location', 'global', 'workspace', 'workspaces',
  'scripts-prepend-node-path', 'npm-path', 'pnpmfile', 'global-pnpmfile', 'use-node-version', 'init-module',
  'registry', 'replace-registry-host', 'proxy', 'http-proxy', 'https-proxy', 'strict-ssl', 'ca', 'cafile',
])

/** Divides the lines of an `.npmrc` into those by which a program may be started, and the rest. */
export function settingsOf(text: string): { programs: string[]; others: string[] } {
  const lines = text.split(/\r\n|\r|\n/)
  const isProgram = lines.map(namesProgram)
  return { programs: lines.filter((_, at) => isProgram[at]), others: lines.filter((_, at) => !isProgram[at]) }
}

/** The text with exactly these program settings, and everything else unchanged. */
export function withPrograms(text: string, programs: readonly string[]): string {
  const others = settingsOf(text).others.join('\n')
  return programs.length === 0 ? others : `${programs.join('\n')}\n${others}`
}

/** A section header, which changes the meaning of all lines behind it. */
export function opensSection(line: string): boolean {
  return line.startsWith('[')
}

/**
 * Whether a line may set one of these. npm cuts names at `;` and `#`, removes two layers of quotes and list marks, and
 * expands variables; only names without any of these are looked up, all others count as programs.
 */
function namesProgram(line: string): boolean {
  const end = line.indexOf('=')
  const key = (end === -1 ? line : line.slice(0, end)).trim()
  if (key === '' || /^[;#]/.test(key)) return false
  const name = /^([\w.:@/~%-]+)(?:\[\])?$/.exec(key)?.[1]?.toLowerCase().replaceAll('_', '-')
  return name === undefined || name.endsWith(':registry') || PROGRAMS.has(name)
}
