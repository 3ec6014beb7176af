import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type ApprovedPath, HermesError, isNodeError, type VerbContext } from '../../../0-contracts/src/index.js'
import { formatNodeError, readText, checkSignal, walk } from '../../../2-files/src/index.js'
import { type LanguageId, languageOf } from '../../../2-syntax/src/index.js'

export interface SourceFile {
  path: ApprovedPath
  /** As the caller would write it. */
  shown: string
  language: LanguageId
  text: string
}

export interface SkippedFile {
  path: string
  reason: string
}

/** Told of what is passed over: one line. */
export type OnSkip = (skipped: SkippedFile) => void

/**
 * The source files below a directory in order of their paths: those that .gitignore excludes and those of
 * `node_modules` are passed over.
 *
 * @param shown the directory as the caller wrote it
 */
export async function* sourceFiles(
  verb: string, start: ApprovedPath, shown: string, context: VerbContext, onSkip: OnSkip,
): AsyncGenerator<SourceFile> {
  const walked = walk(start, context, {
    gitignore: true,
    enters: (relative) => !/(?:^|\/)node_modules$/.test(relative),
    onUnreadable: (relative, error) => {
      const path = join(shown, relative)
      onSkip({ path, reason: formatNodeError(error, path, verb) })
    },
  })
  for await (const { path, relative } of walked) {
    // Lets an abort arrive: parsing the file before may have taken long, and is synchronous.
    await setImmediate()
    checkSignal(context.signal)
    const language = languageOf(relative)
    if (language === undefined) continue
    const name = join(shown, relative)
    const most = context.limits.maxFileBytes
    if ((context.files.stat(path)?.size ?? 0) > most) {
      onSkip({ path: name, reason: `File is larger than ${most} bytes: ${name}` })
      continue
    }
    const text = await orSkip(verb, name, onSkip, () => readText(context.files, path, most, name))
    if (text !== undefined) yield { path, shown: name, language, text }
  }
}

/** What `read` returns, or `undefined` where the file cannot be used. */
export async function orSkip<Value>(
  verb: string, path: string, onSkip: OnSkip, read: () => Value | Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isNodeError(error)) onSkip({ path, reason: formatNodeError(error, path, verb) })
    else if (error instanceof HermesError && PASSED_OVER.has(error.code)) onSkip({ path, reason: error.message })
    else throw error
    return undefined
  }
}

const PASSED_OVER = new Set(['FILE_TOO_LARGE', 'NOT_TEXT', 'TIMEOUT'])
