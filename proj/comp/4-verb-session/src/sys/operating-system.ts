import { readFileSync } from 'node:fs'
import { release, type as kernelName } from 'node:os'
import type { Systeminformation } from 'systeminformation'
import { orNothing } from '../../../0-contracts/src/index.js'

/** Where Linux distributions name themselves (os-release(5)). */
const RELEASE_FILES = ['/etc/os-release', '/usr/lib/os-release']

/**
 * Name, release and architecture. On Linux from os-release, since `osInfo` also asks for the machine's full name there,
 * which may wait for a name server and blocks meanwhile.
 */
export async function operatingSystem(osInfo: () => Promise<Systeminformation.OsData>): Promise<string> {
  if (process.platform === 'linux') return `${linuxName(RELEASE_FILES)} (${process.arch})`
  const { distro, release: version } = await osInfo()
  return `${distro} ${version} (${process.arch})`
}

/** The first of the files that is there decides; without one it is the kernel's name. */
export function linuxName(files: readonly string[]): string {
  for (const file of files) {
    const fields = assignments(readIfThere(file))
    const name = fields.get('NAME') ?? fields.get('PRETTY_NAME')
    if (name !== undefined) return [name, fields.get('VERSION_ID')].filter(Boolean).join(' ')
  }
  return `${kernelName()} ${release()}`
}

function readIfThere(file: string): string {
  return orNothing(() => readFileSync(file, 'utf8'), '')
}

/** `KEY=value` lines as a shell would read them; the last of a key counts. */
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
