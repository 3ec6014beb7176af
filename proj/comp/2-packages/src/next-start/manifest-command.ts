import { basename } from 'node:path'
import { isRecord } from '../../../0-contracts/src/index.js'

/** What a manifest says that decides about a command: put back as it was, where it does. */
export interface CommandFields {
  bin?: unknown
  directories?: unknown
}

/**
 * What `npx hermes` would take from the manifest of the project it is called in, as npm reads it; `undefined` for
 * nothing, or where it is no manifest.
 */
export function commandOf(text: string): string | undefined {
  const manifest = parsedManifest(text)
  if (manifest === undefined) return undefined
  const { name, bin, directories } = manifest
  if (typeof bin === 'string') return typeof name === 'string' && nameOf(name) === 'hermes' ? bin : undefined
  if (isRecord(bin)) {
    const [, place] = Object.entries(bin).findLast(([key]) => nameOf(key) === 'hermes') ?? []
    return place === undefined ? undefined : JSON.stringify(place)
  }
  // Each file of that directory is a command.
  return isRecord(directories) && directories['bin'] !== undefined ? JSON.stringify(directories['bin']) : undefined
}

export function commandFields(text: string): CommandFields {
  const { bin, directories } = parsedManifest(text) ?? {}
  return { ...(bin !== undefined && { bin }), ...(directories !== undefined && { directories }) }
}

/** The manifest with these fields, in its own layout. */
export async function withCommandFields(text: string, fields: CommandFields): Promise<string> {
  const { applyEdits, modify } = await import('jsonc-parser')
  let edited = text
  for (const name of ['bin', 'directories'] as const) {
    edited = applyEdits(edited, modify(edited, [name], fields[name], { formattingOptions: layoutOf(text) }))
  }
  const { bin: _, directories: __, ...others } = parsedManifest(text) ?? {}
  const isDone = JSON.stringify(commandFields(edited)) === JSON.stringify(fields)
  // A field that is there twice.
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

/** What a manifest says; `undefined` for what is none. */
export function parsedManifest(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return isRecord(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
