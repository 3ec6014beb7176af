import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Takes something away from this process that a system may lack, as LACKING says: `links` hard links, `proc` what
 * `/proc` tells.
 */
export function takeAway(): void {
  const lacking = process.env['LACKING']
  const { readFileSync, writeSync } = fs
  if (lacking === 'links') {
    fs.linkSync = () => { throw Object.assign(refused('EPERM'), { syscall: 'link' }) }
    // The moment in which a file is made and empty, long enough for others to see it.
    fs.writeSync = ((descriptor: number, ...rest: [Uint8Array]) => {
      const until = performance.now() + 3
      while (performance.now() < until);
      return writeSync(descriptor, ...rest)
    }) as typeof writeSync
  }
  if (lacking === 'proc') {
    fs.readFileSync = ((path: fs.PathOrFileDescriptor, ...rest: []) => {
      if (String(path).startsWith('/proc/')) throw refused('ENOENT')
      return readFileSync(path, ...rest)
    }) as typeof readFileSync
  }
  syncBuiltinESMExports()
}

function refused(code: string): Error {
  return Object.assign(new Error(`${code}: not here`), { code })
}
