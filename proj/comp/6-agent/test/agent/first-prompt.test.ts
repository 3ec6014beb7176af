import { expect, it } from 'vitest'
import { estimateTokens } from '../../../1-registry/src/index.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { CallStyle } from '../../src/agent/loop-options.js'
import { say } from './support/script.js'
import { useAgents } from './support/use-agents.js'
import { workingRules } from '../../src/agent/offer.js'

const { server, agentFor } = useAgents()

it.each<CallStyle>(['native', 'blocks'])('holds the user\'s text, rules, place and notes, in this order (%s)', async (style) => {
  const root = tempDir()
  writeTree(root, { 'AGENTS.md': 'Use pnpm.\n' })
  const { agent, model } = agentFor([say('Done.')], { root, style, systemPrompt: 'Be brief.' })
  await using _ = agent
  await agent.chat('Go')
  const system = String(server.requests(model)[0]?.messages[0]?.content)
  const parts = ['Be brief.', '## How to work', '## Where you work', '## Notes of the project', '```text\nUse pnpm.\n```']
  const places = parts.map((part) => system.indexOf(part))
  expect(places).toEqual([...places].sort((one, other) => one - other))
  expect(places[0]).toBe(0)
})

it('tells only where paths start without `surroundings`', async () => {
  const root = tempDir()
  writeTree(root, { 'AGENTS.md': 'Use pnpm.\n' })
  const { agent, model } = agentFor([say('Done.')], { root, surroundings: false })
  await using _ = agent
  await agent.chat('Go')
  expect(server.requests(model)[0]?.messages[0]?.content).toBe(`${workingRules('native')}\n\nRelative paths start at the project, ${root}.`)
})

it('has rules of few tokens', () => {
  expect(estimateTokens(workingRules('native'))).toBeLessThan(250)
  expect(workingRules('blocks').length).toBeLessThan(workingRules('native').length)
})
