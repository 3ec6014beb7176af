import {
  decidingSettings, toolsetDraw, workspaceOf, type ToolsetWish, type WorkspaceWish,
} from '../../../6-replay/src/index.js'
import { approvals } from './batch-run.js'
import type { BatchPlan } from './batch-model.js'

/** What a person says of a batch. */
export interface BatchSetup extends WorkspaceWish, ToolsetWish {
  agent: Omit<BatchPlan['agent'], 'approve'>
  /** Turns of a prompt, where `agent` does not say it. */
  maxTurns: number
  /** What is dangerous is approved beforehand. */
  yes: boolean
  /** The script of hermes that runs. */
  program: string
}

/** How the prompts of a batch are run, and what decides what comes of them. @throws HermesError `INVALID_OPTION` */
export async function batchPlan(setup: BatchSetup): Promise<BatchPlan> {
  const { agent, yes, program } = setup
  const draw = toolsetDraw(setup, {})
  const {
    model, baseURL, style, maxTurns, systemPrompt, enabledToolsets, disabledToolsets, sandbox, network, policy,
    extensions, api = 'chat', temperature, maxTokens, reasoningEffort,
  } = agent
  const { mapping: _, hermes: _program, ...decides } = await decidingSettings({
    mapping: '', format: undefined, program,
    execution: {
      ...(sandbox !== undefined && { sandbox }), ...(network !== undefined && { network }),
      ...(policy !== undefined && { policy }),
    },
  })
  return {
    agent: { ...agent, ...approvals(yes) },
    workspace: workspaceOf(setup, {}),
    toolsetDraw: draw,
    decides: {
      ...decides, model, 'base-url': baseURL ?? '', style: style ?? 'native',
      'max-turns': String(maxTurns ?? setup.maxTurns),
      ...(api !== 'chat' && { api }), ...(temperature !== undefined && { temperature: String(temperature) }),
      ...(maxTokens !== undefined && { 'max-tokens': String(maxTokens) }),
      ...(reasoningEffort !== undefined && { 'reasoning-effort': reasoningEffort }),
      ...(systemPrompt !== undefined && { 'system-prompt': systemPrompt }),
      ...(enabledToolsets && { toolsets: enabledToolsets.join(',') }),
      ...(disabledToolsets && { 'disabled-toolsets': disabledToolsets.join(',') }),
      ...(extensions && { extensions: JSON.stringify(extensions) }),
      ...(draw && { 'toolset-distribution': JSON.stringify(draw) }),
    },
  }
}
