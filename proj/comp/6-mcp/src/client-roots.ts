import { fileURLToPath } from 'node:url'
import { isRecord } from '../../0-contracts/src/index.js'

/**
 * The directories of a client's answer to `roots/list`. A root that is no directory of this machine holds nothing; a
 * list without any root draws no bounds.
 */
export function rootsOf(answer: unknown): readonly string[] | undefined {
  const roots: unknown = isRecord(answer) ? answer['roots'] : undefined
  if (!Array.isArray(roots)) return []
  if (roots.length === 0) return undefined
  return roots.flatMap((root: unknown) => {
    const uri: unknown = isRecord(root) ? root['uri'] : undefined
    const path = typeof uri === 'string' ? pathOf(uri) : undefined
    return path === undefined ? [] : [path]
  })
}

function pathOf(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined
  const url = new URL(uri)
  if (url.protocol !== 'file:' || !['', 'localhost'].includes(url.hostname)) return undefined
  try {
    return fileURLToPath(new URL(url.pathname, 'file:///'))
  } catch (error) {
    // An encoded slash, or on Windows no drive.
    if (error instanceof TypeError) return undefined
    throw error
  }
}
