import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import type { MappingPlace } from '../../../2-mapping/src/index.js'

/** Paths of a call as a root has them. @param aliases absolute paths that stand for the root */
export function placeIn(root: string, aliases: readonly string[]): MappingPlace {
  const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(root, path))
  const onDisk = (written: string): string => {
    const path = absolute(written)
    const alias = aliases.map((candidate) => candidate.replace(/\/+$/, ''))
      .find((one) => path === one || path.startsWith(`${one}/`))
    return alias === undefined ? path : join(root, path.slice(alias.length))
  }
  return {
    absolute,
    isRoot: (path) => resolve(onDisk(path)) === resolve(root),
    isDirectory: (path) => orNothing(() => statSync(onDisk(path)).isDirectory(), false),
    isUnfinished: (path) => orNothing(() => endsInMidLine(onDisk(path)), false),
  }
}

function endsInMidLine(path: string): boolean {
  if (!statSync(path).isFile()) return false
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const last = Buffer.alloc(1)
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a
  } finally {
    closeSync(file)
  }
}
