/** Node's own words for the codes that hermes formats or raises itself. */
const TEXTS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EEXIST: 'file already exists',
  EACCES: 'permission denied',
  EISDIR: 'illegal operation on a directory',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
}
const MORE_TEXTS: Readonly<Record<string, string>> = {
  ENAMETOOLONG: 'name too long',
  EINVAL: 'invalid argument',
  ELOOP: 'too many symbolic links encountered',
}

/**
 * One line for a failed file operation (seed 002): `CODE: text, operation 'path'` for its six named codes,
 * `CODE: message` for others, the message alone without a code.
 */
export function formatNodeError(error: unknown, path: string, operation: string): string {
  const code = field(error, 'code')
  const message = field(error, 'message')
  if (code === undefined) return message ?? `Unknown error during ${operation} on '${path}'`
  if (Object.hasOwn(TEXTS, code)) return `${code}: ${TEXTS[code]}, ${operation} '${path}'`
  // Node's own messages begin with the code already.
  return message?.startsWith(`${code}: `) ? message : `${code}: ${message ?? `${operation} '${path}'`}`
}

function field(error: unknown, name: 'code' | 'message'): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const value: unknown = (error as Record<string, unknown>)[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** An error like Node's own, for what is known before the system is asked. */
export function fileError(code: string, syscall: string, path: string): Error {
  const text = TEXTS[code] ?? MORE_TEXTS[code] ?? 'failed'
  return Object.assign(new Error(`${code}: ${text}, ${syscall} '${path}'`), { code, syscall, path })
}
