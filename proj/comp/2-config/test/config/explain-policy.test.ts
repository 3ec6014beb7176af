import { expect, it } from 'vitest'
import { explainPolicy } from '../../src/config/index.js'
import type { ExplainedPolicy } from '../../src/config/explain-policy.js'
import { policyWorld, PROJECT, USER } from './policy-world.js'

const of = ({ fields }: ExplainedPolicy, name: string): string[] => (
  fields.find((field) => field.name === name)?.values.map(({ value, from }) => `${value} (${from})`) ?? []
)

it('names the line that each value comes from', async () => {
  const { root } = policyWorld({
    [USER]: 'verbs:\n  exec: ask\nlimits: { blocks: 50, command_time: 90 }\ncommand_allowlist: [release, fork bomb]\ndeny: [a]\nenv: [CI]\nterminal: { backend: docker }\nreply: { tokens: 2000 }\n',
    [PROJECT]: 'verbs: { exec: off, network: on }\nlimits: { blocks: 20, file_size: 512KB }\ndeny:\n  - b\n  - c\ncommand_allowlist: [release]\n',
  })
  const explained = await explainPolicy(root)
  expect(of(explained, 'verbs.exec')).toEqual(['off (hermes.yaml:1)'])
  expect(of(explained, 'verbs.read')).toEqual(['on (default)'])
  expect(of(explained, 'verbs.network')).toEqual(['off (default)'])
  expect(of(explained, 'limits.blocks')).toEqual(['20 (hermes.yaml:2)'])
  expect(of(explained, 'limits.file_size')).toEqual(['512KB (hermes.yaml:2)'])
  expect(of(explained, 'limits.command_time')).toEqual(['90s (~/.hermes/config.yaml:3)'])
  expect(of(explained, 'limits.memory')).toEqual(['4GB (default)'])
  expect(of(explained, 'deny')).toEqual(['a (~/.hermes/config.yaml:5)', 'b (hermes.yaml:4)', 'c (hermes.yaml:5)'])
  expect(of(explained, 'command_allowlist')).toEqual(['release (~/.hermes/config.yaml:4)'])
  expect(of(explained, 'env')).toEqual(['CI (~/.hermes/config.yaml:6)'])
  expect(of(explained, 'terminal.backend')).toEqual(['docker (~/.hermes/config.yaml:7)'])
  expect(of(explained, 'checks')).toEqual(['syntax (default)'])
  expect(of(explained, 'reply.tokens')).toEqual(['2000 (~/.hermes/config.yaml:8)'])
  expect(of(explained, 'reply.call_tokens')).toEqual(['10000 (default)'])
  expect(explained.warnings).toEqual([expect.stringContaining('network: on has no effect')])
})

it('without files has the defaults alone', async () => {
  const { root } = policyWorld({})
  const { fields } = await explainPolicy(root)
  expect([...new Set(fields.flatMap(({ values }) => values.map(({ from }) => from)))]).toEqual(['default'])
})
