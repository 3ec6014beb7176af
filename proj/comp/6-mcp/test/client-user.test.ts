import { expect, it } from 'vitest'
import type { ApprovalQuestion } from '../../0-contracts/src/index.js'
import { clientUser } from '../src/client-user.js'

const STOPPED: ApprovalQuestion = {
  action: 'exec', reason: 'the sandbox stopped it: the network is closed', kind: 'escalation', command: 'npm ci',
  directory: '/app', sandbox: 'bwrap', network: false, offers: ['network', 'outside'],
}

/** What is answered, and what the user's client was shown. */
async function answered(decision: string, { yes = false, remembers = true } = {}) {
  const shown: unknown[] = []
  const { approve } = clientUser({
    yes, remembers, signal: new AbortController().signal,
    async ask(request) {
      shown.push(request)
      return { action: 'accept', content: { decision, reason: 'why not' } }
    },
  })
  return { reply: await approve?.(STOPPED), shown: JSON.stringify(shown) }
}

it('offers what the sandbox kept from a command, each for a time', async () => {
  const { reply, shown } = await answered('network, once')
  expect(reply).toEqual({ answer: 'once', access: 'network' })
  expect(shown).toContain('It ran in /app, in the sandbox bwrap, without the network')
  expect(shown).toContain('network: in the sandbox, with the network of this machine')
  expect((await answered('outside, this command until the session ends')).reply).toEqual({ answer: 'session', access: 'outside' })
  expect((await answered('outside, this command always (stored in command_allowlist)')).reply).toEqual({ answer: 'always', access: 'outside' })
  expect((await answered('network, once', { remembers: false })).shown).not.toContain('session')
})

it.each(['once', 'git, once', 'outside', 'deny'])('opens nothing by the answer %s', async decision => {
  expect((await answered(decision)).reply).toMatchObject({ answer: 'deny' })
})

it('asks nobody, and opens nothing, where the user said yes to all beforehand', async () => {
  expect(await answered('network, once', { yes: true })).toEqual({ reply: { answer: 'deny' }, shown: '[]' })
})
