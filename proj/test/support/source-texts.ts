import type { ApprovedPath, VerbContext } from '../../comp/0-contracts/src/index.js'
import { readText, walk } from '../../comp/2-files/src/index.js'
import { type LanguageId, languageOf } from '../../comp/2-syntax/src/index.js'

/** The source files of a root by a plain walk, without any index: what answers are compared with. */
export async function* sourceTexts(
  context: VerbContext,
): AsyncGenerator<{ path: ApprovedPath; language: LanguageId; text: string }> {
  const walked = walk(context.gate.approve('.', 'read'), context, {
    gitignore: true, dependencies: false, onUnreadable: (_, error) => { throw error },
  })
  for await (const { path } of walked) {
    const language = languageOf(path)
    if (language === undefined) continue
    yield { path, language, text: readText(context.files, path, context.limits.maxFileBytes, path) }
  }
}
