import { basename } from 'node:path'
import { isRecord, parseJson } from '../../../0-contracts/src/index.js'

/** The fields of a manifest (`package.json`) that say which commands its package has. */
export interface BinFields {
  bin?: unknown
  directories?: unknown
}

/**
 * What the manifest of a project makes `npx hermes` run there instead of hermes, as npm reads it: a text to be compared
 * with what it was. `undefined` for nothing, or where the text is no manifest.
 */
export function hermesCommandOf(text: string): string | undefined {
  const manifest = manifestIn(text)
  if (manifest === undefined) return undefined
  const { name, bin, directories } = manifest
  if (typeof bin === 'string') return typeof name === 'string' && nameOf(name) === 'hermes' ? bin : undefined
  if (isRecord(bin)) {
    const [, program] = Object.entries(bin).findLast(([command]) => nameOf(command) === 'hermes') ?? []
    return program === undefined ? undefined : JSON.stringify(program)
  }
  // Each file of that directory is a command.
  return isRecord(directories) && directories['bin'] !== undefined ? JSON.stringify(directories['bin']) : undefined
}

/** To be put back later by `withBinFields`. */
export function binFields(text: string): BinFields {
  const { bin, directories } = manifestIn(text) ?? {}
  return { ...(bin !== undefined && { bin }), ...(directories !== undefined && { directories }) }
}

/** The manifest with these fields, in the layout that it has. */
export async function withBinFields(text: string, fields: BinFields): Promise<string> {
  const { applyEdits, modify } = await import('jsonc-parser')
  let edited = text
  for (const name of ['bin', 'directories'] as const) {
    edited = applyEdits(edited, modify(edited, [name], fields[name], { formattingOptions: layoutOf(text) }))
  }
  const { bin: _, directories: __, ...others } = manifestIn(text) ?? {}
  const isDone = JSON.stringify(binFields(edited)) === JSON.stringify(fields)
  // Of a field that is there twice only one was edited: without its layout, then.
  return isDone ? edited : `${JSON.stringify({ ...others, ...fields }, undefined, 2)}\n`
}

function layoutOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' }
}

/** npm takes of a command's name, and of a scoped package's, what is behind the last slash. */
function nameOf(key: string): string {
  return basename(key.replaceAll('\\', '/'))
}

/** The object that a manifest is; `undefined` where the text is none. */
export function manifestIn(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text.replace(/^\ufeff/, ''))
  return isRecord(value) ? value : undefined
}
