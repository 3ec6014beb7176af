import type { CommandSpec } from '../../command.js'
import {
  EXTENSION_FLAGS, JSON_FLAG, MODEL_FLAGS, NO_GIT_FLAG, SANDBOX_FLAGS, TOOLSET_FLAG, YES_FLAG,
} from '../../common-flags.js'
import { QUEUE_FLAG, QUEUE_STATUS_FLAG, STORE_FLAG } from '../../queue-flags.js'

export const command: CommandSpec = {
  name: 'batch',
  summary: 'Give a model many prompts, each in a workspace of its own, and keep what came of them',
  usage: ['batch PROMPTS.jsonl --out DIR [options]'],
  about: `
  Each line of PROMPTS.jsonl is an object: prompt, and if wanted id, toolsets, system_prompt, model and max_turns; all
  other fields are kept. DIR gets trajectories.jsonl (ShareGPT), statistics.json and parts/. A prompt is done once:
  --resume goes on where the batch was interrupted or killed, and runs again what failed. With --queue, workers on any
  number of machines (hermes worker --prompts) run them, each with its own key. hermes help batch has more.
  `,
  maxPositionals: 1,
  flags: [
    { name: 'out', value: 'DIR', help: 'Keep the results there' },
    { name: 'resume', help: 'Go on with DIR: what it has of a prompt, told by its text, is not done again' },
    { name: 'workers', value: 'N', help: 'Run in N processes (default: in this one)' },
    { name: 'batch-size', value: 'N', help: 'Prompts a worker has at a time (default: 2), or the queue (1000)' },
    QUEUE_FLAG,
    STORE_FLAG,
    QUEUE_STATUS_FLAG,
    { name: 'fixture', value: 'DIR', help: 'Copy DIR as the workspace (default: empty)' },
    { name: 'git', value: 'REF', help: 'Check out a commit of --repo as the workspace' },
    { name: 'repo', value: 'DIR', help: 'The repository of --git (default: the working directory)' },
    { name: 'toolset-distribution', value: 'NAME', help: 'Draw the toolsets of each prompt; see hermes help replay' },
    { name: 'seed', value: 'N', help: 'Seed of --toolset-distribution (default: 0)' },
    ...MODEL_FLAGS,
    { ...TOOLSET_FLAG, help: TOOLSET_FLAG.help.replace('By', 'Only the verbs of this') },
    ...EXTENSION_FLAGS.filter(({ name }) => name !== 'answers'),
    ...SANDBOX_FLAGS, NO_GIT_FLAG, YES_FLAG,
    JSON_FLAG,
  ],
  example: {
    line: 'hermes batch prompts.jsonl --out data/first --workers 4', does: 'writes data/first/trajectories.jsonl',
  },
  exits: [
    [0, 'every prompt has a trajectory'], [1, 'a prompt failed, or a line is no prompt'],
    [2, 'wrong usage, no model is configured, its server refuses the key, or prompts would be paid for twice'],
    [130, 'interrupted'],
  ],
  load: async () => (await import('./run.js')).batch,
}
