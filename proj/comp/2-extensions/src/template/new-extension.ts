import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { usageError } from '../../../0-text/src/index.js'
import { createWhole } from '../../../2-files/src/index.js'
import { ownPackage } from '../../../2-packages/src/index.js'

export const LANGUAGES = ['py', 'ts'] as const
export type Language = (typeof LANGUAGES)[number]

export interface NewExtension {
  /** Absolute. */
  files: readonly string[]
  /** Command to type in its directory before it can run. */
  prepare: string | undefined
  /** Program and arguments, with absolute paths. */
  command: readonly string[]
}

const TEMPLATE = 'my-extension'

/**
 * Creates a working extension in a directory of its own.
 *
 * @param place absolute path of the new directory; its last part is the name
 * @throws HermesError `INVALID_OPTION` for an invalid name, `EEXIST`, and file system errors
 */
export function newExtension(place: string, name: string, language: Language): NewExtension {
  if (!/^[a-z][a-z\d-]{0,60}$/i.test(name)) throw usageError(
    `No name for an extension: ${name}`, 'Write letters, digits and hyphens, e.g. tidy-imports.',
  )
  const templates = join(ownPackage() ?? '', 'examples', 'extensions', 'template')
  const read = (file: string): string => readFileSync(join(templates, file), 'utf8').replaceAll(TEMPLATE, name)
  const script = join(place, language === 'py' ? 'extension.py' : 'extension.mts')
  const contents = new Map(language === 'py' ? [[script, read('extension.py')]] : [
    [script, read('extension.mts')],
    // Depends on the hermes that creates it, so that types match the host.
    [join(place, 'package.json'), json({
      name, private: true, type: 'module', scripts: { build: 'tsc' },
      dependencies: { hermes: `file:${ownPackage() ?? ''}` }, devDependencies: { typescript: '^5.9.0' },
    })],
    [join(place, 'tsconfig.json'), json({ compilerOptions: COMPILER })],
  ])
  try {
    mkdirSync(place)
    for (const [file, text] of contents) createWhole(file, text)
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `Cannot write the extension to ${place} (${error.code})`, {
      hint: error.code === 'EEXIST' ? 'Choose another name; what is there is left as it is.'
        : 'Go to a directory where you may write.',
      cause: error,
    })
  }
  return language === 'py'
    ? { files: [...contents.keys()], prepare: undefined, command: ['python3', script] }
    : {
      files: [...contents.keys()], prepare: 'npm install && npm run build',
      command: ['node', join(place, 'extension.mjs')],
    }
}

const COMPILER = {
  module: 'nodenext', target: 'es2023', lib: ['esnext'], strict: true, skipLibCheck: true, types: [],
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
