import type { SessionModeState } from '@agentclientprotocol/sdk'
import type { AgentOptions } from '../../6-agent/src/index.js'

export type ModeId = 'ask' | 'auto' | 'plan'

const MODES: Readonly<Record<ModeId, { name: string; description: string }>> = {
  ask: { name: 'Ask', description: 'You are asked before what needs an approval, by your policy or as dangerous' },
  auto: { name: 'Auto', description: 'Approvals are given without asking, as by --yes; the sandbox stays' },
  plan: { name: 'Plan', description: 'Only verbs that read: nothing is written, and no command runs' },
}

/**
 * The modes of a session and which one holds.
 *
 * @param hasPlan no toolset was chosen: a mode gives no verb that the user left out
 */
export function modeState(currentModeId: ModeId, hasPlan: boolean): SessionModeState {
  const ids = (Object.keys(MODES) as ModeId[]).filter((id) => hasPlan || id !== 'plan')
  return { currentModeId, availableModes: ids.map((id) => ({ id, ...MODES[id] })) }
}

export function modeNamed(id: string, hasPlan: boolean): ModeId | undefined {
  return modeState('ask', hasPlan).availableModes.some((mode) => mode.id === id) ? id as ModeId : undefined
}

/** What an agent is made with. */
export function modeOptions(mode: ModeId): Pick<AgentOptions, 'enabledToolsets'> {
  return mode === 'plan' ? { enabledToolsets: ['read-only'] } : {}
}
