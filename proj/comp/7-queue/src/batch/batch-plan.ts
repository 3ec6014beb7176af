import {
  decidingSettings, toolsetDraw, workspaceOf, type ToolsetWish, type WorkspaceWish,
} from '../../../6-replay/src/index.js'
import { approvals } from './batch-runner.js'
import type { BatchPlan } from './batch-model.js'

/** A user's settings for a batch. */
export interface BatchSetup extends WorkspaceWish, ToolsetWish {
  agent: Omit<BatchPlan['agent'], 'approve'>
  /** Turns per prompt, if `agent` does not set them. */
  maxTurns: number
  /** Whether dangerous commands are approved in advance. */
  yes: boolean
  /** The running script of hermes. */
  program: string
}

/**
 * How to run the prompts of a batch, and the settings that influence their results. @throws HermesError
 * `INVALID_OPTION`
 */
export async function batchPlan(setup: BatchSetup): Promise<BatchPlan> {
  const { agent, yes, program } = setup
  const draw = toolsetDraw(setup, {})
  const {
    model, baseURL, style, maxTurns, systemPrompt, enabledToolsets, disabledToolsets, sandbox, network, policy,
    extensions, api = 'chat', temperature, maxTokens, reasoningEffort,
  } = agent
  const { mapping: _, hermes: _program, ...decides } = await decidingSettings({
    mapping: '', format: undefined, program,
    execution: { sandbox, network, policy },
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
