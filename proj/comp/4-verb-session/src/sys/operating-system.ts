import { readFileSync } from 'node:fs'
import { release, type as kernelName, version } from 'node:os'
import { orNothing } from '../../../0-contracts/src/index.js'

/** Files in which Linux distributions give their name (os-release(5)). */
const RELEASE_FILES = ['/etc/os-release', '/usr/lib/os-release']
const MAC_FILE = '/System/Library/CoreServices/SystemVersion.plist'

/** Name, release and architecture, read from files: runs no program. */
export function operatingSystem(): string {
  if (process.platform === 'darwin') return `${macName(textOf(MAC_FILE))} (${process.arch})`
  if (process.platform === 'win32') return `${version()} ${release()} (${process.arch})`
  return `${linuxName(RELEASE_FILES)} (${process.arch})`
}

/** Reads the property list in which macOS keeps its version. */
export function macName(text: string): string {
  const valueOf = (key: string): string | undefined => (
    new RegExp(`<key>${key}</key>\\s*<string>([^<]*)</string>`).exec(text)?.[1]
  )
  return [valueOf('ProductName') ?? 'macOS', valueOf('ProductVersion') ?? release()].join(' ')
}

/** Name by the first file that exists; without one, the kernel's name. */
export function linuxName(files: readonly string[]): string {
  for (const file of files) {
    const fields = assignments(textOf(file))
    const name = fields.get('NAME') ?? fields.get('PRETTY_NAME')
    if (name !== undefined) return [name, fields.get('VERSION_ID')].filter(Boolean).join(' ')
  }
  return `${kernelName()} ${release()}`
}

function textOf(file: string): string {
  return orNothing(() => readFileSync(file, 'utf8'), '')
}

/** Reads `KEY=value` lines as a shell would; the last of a key counts. */
function assignments(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, name = '', double, single, plain = ''] =
      /^([A-Z][A-Z0-9_]*)=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S*))\s*$/.exec(line) ?? []
    const value = double?.replace(/\\(["$`\\])/g, '$1') ?? single ?? plain
    if (name !== '' && value !== '') fields.set(name, value)
  }
  return fields
}
