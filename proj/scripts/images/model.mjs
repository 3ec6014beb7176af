/** The server of recorded answers that the agent's tests use, for the picture of a chat. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { removeSync } from 'fs-extra/esm'
import { rolldown } from 'rolldown'

/** @param {string} repository */
export async function startModel(repository) {
  const out = mkdtempSync(join(tmpdir(), 'hermes-images-model-'))
  try {
    const support = join(repository, 'proj', 'comp', '6-agent', 'test', 'agent', 'support')
    const load = async (name) => {
      const built = await rolldown({
        cwd: repository, input: join(support, `${name}.ts`), platform: 'node', logLevel: 'silent',
      })
      await built.write({ dir: out, format: 'esm', entryFileNames: `${name}.mjs` })
      await built.close()
      return import(pathToFileURL(join(out, `${name}.mjs`)).href)
    }
    const [{ startModelServer }, { say }] = [await load('model-server'), await load('script')]
    return { server: await startModelServer(), say }
  } finally {
    removeSync(out)
  }
}
