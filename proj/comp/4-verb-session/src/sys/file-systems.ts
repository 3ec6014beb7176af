import { readdirSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { orNothing } from '../../../0-contracts/src/index.js'
import { ownEnvironment, run } from '../../../2-processes/src/index.js'
import type { FileSystem } from './disks.js'

/** What is mounted, with its room. `df` asks, since a network disk that is gone would block whoever asks for ever. */
export async function fileSystems(signal: AbortSignal, timeoutMs: number): Promise<FileSystem[]> {
  if (process.platform === 'win32') return drives()
  const args = process.platform === 'linux' ? ['-kPT'] : ['-kP']
  const { stdout } = await run({
    program: 'df', args, env: ownEnvironment({ LC_ALL: 'C' }), cwd: '/', signal, timeoutMs, endsWithHermes: true,
  })
  return parseFileSystems(stdout.toString('utf8'), process.platform === 'linux')
}

/** @param hasTypes whether there is a column of kinds; else the device tells them, as on macOS */
export function parseFileSystems(text: string, hasTypes: boolean): FileSystem[] {
  const line = hasTypes ? /^(.+?)\s+(\S+)\s+(\d+)\s+\d+\s+(-?\d+)\s+\S+\s+(\/.*)$/
    : /^(.+?)(\s+)(\d+)\s+\d+\s+(-?\d+)\s+\S+\s+(\/.*)$/
  return text.split('\n').slice(1).flatMap((row) => {
    const [, fs = '', kind = '', size, available, mount] = line.exec(row) ?? []
    if (mount === undefined) return []
    const type = hasTypes ? kind : fs.startsWith('/dev/disk') ? 'apfs' : 'devfs'
    return [{ fs, type, size: Number(size) * 1024, available: Number(available) * 1024, mount }]
  })
}

async function drives(): Promise<FileSystem[]> {
  const names = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `${letter}:`)
  const isThere = (name: string): boolean => orNothing(() => readdirSync(`${name}\\`), []).length > 0
  return Promise.all(names.filter(isThere).map(async (name) => {
    const { bsize, blocks, bavail } = await statfs(`${name}\\`)
    return { fs: name, type: 'drive', size: bsize * blocks, available: bsize * bavail, mount: name }
  }))
}
