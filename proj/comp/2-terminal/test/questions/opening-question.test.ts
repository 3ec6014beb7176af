import { expect, it } from 'vitest'
import type { SandboxAccess } from '../../../0-contracts/src/index.js'
import { openingHelp, openingOf, openingQuestion } from '../../src/questions/opening-question.js'

const OFFERS: readonly SandboxAccess[] = ['network', 'git', 'network+git', 'outside']

it('names each thing that can be opened by the word that is typed', () => {
  expect(openingQuestion(OFFERS)).toContain('Open? [n]etwork [g]it [b]oth outside (')
  expect(openingHelp(OFFERS)).toContain('network, ns, git, gs, both, bs, outside, outside session, … (outside only as a whole word).')
})

it.each([
  ['b', { answer: 'once', access: 'network+git' }], ['Both always', { answer: 'always', access: 'network+git' }],
  ['bs', { answer: 'session', access: 'network+git' }], ['ga', { answer: 'always', access: 'git' }],
  ['outside', { answer: 'once', access: 'outside' }], ['d', 'deny'], ['', 'nothing'],
])('takes %j', (reply, answer) => {
  expect(openingOf(reply, OFFERS)).toEqual(answer)
})

it.each(['o', 'y', 'yes', 'always', 'network+git', 'constructor', 'both gs'])('takes no %j', (reply) => {
  expect(openingOf(reply, OFFERS)).toBeUndefined()
})

it.each([
  ['o', { answer: 'once', access: 'outside' }], ['outside', { answer: 'once', access: 'outside' }], ['os', { answer: 'session', access: 'outside' }],
  ['O always', { answer: 'always', access: 'outside' }], ['once', undefined], ['n', undefined],
])('takes %j where nothing but outside is offered', (reply, answer) => {
  expect(openingOf(reply, ['outside'])).toEqual(answer)
})

it('says what to type where nothing but outside is offered', () => {
  expect(openingQuestion(['outside'])).toContain('Open? [o]utside (')
  expect(openingHelp(['outside'])).toContain('Type o ')
})

it('takes only what is offered', () => {
  expect(openingOf('b', ['network', 'git'])).toBeUndefined()
})
