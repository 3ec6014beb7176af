import { beforeAll, expect, it } from 'vitest'
import { loadVerb } from '../../5-executor/test/verbs/golden-harness.js'
import { testRepository, useGitEnvironment } from './repository.js'
import { runIn } from './run-verb.js'

beforeAll(useGitEnvironment)

it.each(['git_status', 'git_diff', 'git_log', 'git_commit'])('the examples of %s run', async name => {
  const { examples } = await loadVerb(name)
  for (const example of examples) {
    const { root, write } = testRepository({ 'README.md': '1\n', 'src/a': '1\n' })
    write({ 'README.md': '2\n', 'src/a': '2\n' })
    expect(await runIn(root, name, example as object)).toHaveProperty('data')
  }
})
