import { reportNames } from '../../../../7-output/src/index.js'
import type { CommandSpec } from '../../command.js'
import {
  EXTENSION_FLAGS, FORMAT_FLAGS, JSON_FLAG, MATCH_FLAG, NO_GIT_FLAG, PLACE_FLAGS, SANDBOX_FLAGS, TIMEOUT_FLAG,
  TOOLSET_FLAG, TRAINING_FORMATS, YES_FLAG,
} from '../../common-flags.js'
import { QUEUE_FLAG, QUEUE_STATUS_FLAG, STORE_FLAG } from '../../queue-flags.js'

export const command: CommandSpec = {
  name: 'replay',
  summary: 'Run recorded conversations again and say what changed',
  usage: ['replay PATH… [options]'],
  about: `
  PATH is a transcript or a folder of them: ShareGPT, OpenAI chat and Responses, Anthropic, Vercel AI SDK, SWE-agent,
  plain markdown, or what hermes apply --record wrote. Each gets a fresh workspace, runs the blocks and calls of the
  assistant's turns under the policy and in the sandbox, and compares each result with the recorded one. Times,
  durations, temporary paths and process ids are no difference. A replay.yaml in the folder may say the same as the
  flags. Calls of other harnesses are mapped to verbs by rules; see hermes help mappings.
  `,
  maxPositionals: Infinity,
  flags: [
    { name: 'format', value: 'FORMAT', help: 'Form of the transcripts (default: detected)' },
    { name: 'fixture', value: 'DIR', help: 'Copy DIR as the workspace; '
      + '{name} in it stands for the transcript (default: empty)' },
    { name: 'git', value: 'REF', help: 'Check out a commit of --repo as the workspace' },
    { name: 'repo', value: 'DIR', help: 'The repository of --git (default: the working directory)' },
    { name: 'mapping', value: 'NAME', repeatable: true, help: 'Rules for tools of other harnesses: a name or a file; '
      + 'repeatable (default: common)' },
    { name: 'show-mapping', value: 'NAME', help: 'Print a mapping that ships with hermes, and do nothing else' },
    { name: 'expect', value: 'DIR|HASH', help: 'The final tree has to be like DIR ({name} as above), '
      + 'or have this sha256:… hash' },
    { name: 'original', help: 'Run what the model wrote, where extensions changed it (default: what ran)' },
    { name: 'without', value: 'NAME', repeatable: true, help: 'Run the answers without what this extension '
      + '(NAME:COMMAND) changed; repeatable' },
    { name: 'update', help: 'Rewrite the recorded results with those of now' },
    { name: 'strict', help: 'Exit with 1 too when a call is unmapped or has no recorded result, or a transcript '
      + 'nothing to run' },
    { name: 'report', value: 'FILE', repeatable: true, help: `Also write ${reportNames('replay', true)}; `
      + 'repeatable' },
    { name: 'github', help: 'Also print annotations for GitHub Actions' },
    { name: 'export', value: 'FILE', help: 'Write what came of each transcript as a line of training data' },
    { name: 'export-as', value: 'FORMAT', choices: TRAINING_FORMATS, help: 'sharegpt (default), openai, responses, '
      + 'anthropic or vercel' },
    { name: 'workers', value: 'N', help: 'Run in N processes (default: in this one)' },
    { name: 'batch-size', value: 'N', help: 'Transcripts a worker has at a time (default: 2), or the queue (1000)' },
    { name: 'run', value: 'NAME', help: 'Keep what came of each transcript in data/NAME/, as training data too' },
    { name: 'output', value: 'DIR', help: 'Directory of the runs (default: data)' },
    { name: 'resume', help: 'Go on with --run NAME: what it has done, told by content, is not done again' },
    QUEUE_FLAG,
    STORE_FLAG,
    QUEUE_STATUS_FLAG,
    {
      name: 'toolset-distribution', value: 'NAME',
      help: 'Draw the toolsets of each transcript; see hermes help replay',
    },
    { name: 'seed', value: 'N', help: 'Seed of --toolset-distribution (default: 0)' },
    ...PLACE_FLAGS.filter(({ name }) => name === 'root-alias'),
    { name: 'relative-paths', help: 'Accept relative paths in SHAM blocks' },
    // Shortened, since longer flag names leave it less room.
    { ...TOOLSET_FLAG, help: TOOLSET_FLAG.help.replace('By t', 'T') },
    { name: 'extension', value: 'NAME', repeatable: true, help: 'Let an extension of your config (NAME:COMMAND) '
      + 'rewrite each answer first (default: none)' },
    ...EXTENSION_FLAGS.filter(({ name }) => name.startsWith('ext-')),
    ...FORMAT_FLAGS, MATCH_FLAG, ...SANDBOX_FLAGS, TIMEOUT_FLAG, NO_GIT_FLAG, YES_FLAG,
    JSON_FLAG,
  ],
  example: { line: 'hermes replay examples/transcripts', does: 'replays one transcript of each form' },
  exits: [
    [0, 'nothing drifted'],
    [1, 'a result or a tree differs, or a transcript could not be read or run, or there is none'],
    [2, 'wrong usage'],
    [130, 'interrupted (143 by SIGTERM)'],
  ],
  load: async () => (await import('./run.js')).replayCommand,
}
