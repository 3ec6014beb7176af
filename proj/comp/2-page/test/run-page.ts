import { join } from 'node:path'
import { outputFileSync } from 'fs-extra/esm'
import { Hermes, type ExecutorOptions } from '../../5-executor/src/executor/index.js'
import { createMasker } from '../../0-text/src/secrets/index.js'
import { type PageModel, PageRecorder } from '../src/index.js'

/** The page of a real run in a directory of its own. `/w` stands for the directory in the answer. */
export async function runPage(
  root: string, answer: string, files: Readonly<Record<string, string>> = {}, options: ExecutorOptions = {},
): Promise<PageModel> {
  for (const [path, text] of Object.entries(files)) {
    outputFileSync(join(root, path), text)
  }
  const recorder = new PageRecorder({ root, roots: ['/w'], masker: createMasker({}, { shapes: true }) })
  const hermes = new Hermes({
    root, rootAliases: ['/w'], changeTexts: true, policy: false, sandbox: 'none', approve: () => 'once',
    onEvent: (event) => recorder.event(event), ...options,
  })
  try {
    return recorder.page(await hermes.execute(answer), answer, new Date('2026-01-02T03:04:05Z'))
  } finally {
    await hermes[Symbol.asyncDispose]()
  }
}
