import type { Command, CommandGroup, CommandSpec } from './command.js'
import { command as acp } from './commands/acp/spec.js'
import { command as apply } from './commands/apply/spec.js'
import { command as batch } from './commands/batch/spec.js'
import { command as chat } from './commands/chat/spec.js'
import { command as completion } from './commands/completion/spec.js'
import { command as config } from './commands/config/spec.js'
import { command as cron } from './commands/cron/spec.js'
import { command as doctor } from './commands/doctor/spec.js'
import { command as exec } from './commands/exec/spec.js'
import { command as ext } from './commands/ext/spec.js'
import { command as gateway } from './commands/gateway/spec.js'
import { command as help } from './commands/help/spec.js'
import { command as init } from './commands/init/spec.js'
import { command as interactive } from './commands/interactive/spec.js'
import { command as log } from './commands/log/spec.js'
import { command as mcp } from './commands/mcp/spec.js'
import { command as mend } from './commands/mend/spec.js'
import { command as parse } from './commands/parse/spec.js'
import { command as prompt } from './commands/prompt/spec.js'
import { command as recover } from './commands/recover/spec.js'
import { command as redo } from './commands/redo/spec.js'
import { command as replay } from './commands/replay/spec.js'
import { command as review } from './commands/review/spec.js'
import { command as serve } from './commands/serve/spec.js'
import { command as setup } from './commands/setup/spec.js'
import { command as skills } from './commands/skills/spec.js'
import { command as squash } from './commands/squash/spec.js'
import { command as status } from './commands/status/spec.js'
import { command as stepBack } from './commands/step-back/spec.js'
import { command as stepForward } from './commands/step-forward/spec.js'
import { command as tools } from './commands/tools/spec.js'
import { command as undo } from './commands/undo/spec.js'
import { command as uninstall } from './commands/uninstall/spec.js'
import { command as update } from './commands/update/spec.js'
import { command as version } from './commands/version/spec.js'
import { command as watch } from './commands/watch/spec.js'
import { command as worker } from './commands/worker/spec.js'
import { HELP_FLAG } from './common-flags.js'

const GROUPS: readonly (readonly [title: string, specs: readonly CommandSpec[]])[] = [
  ['Run what a model answers', [apply, watch, interactive, exec]],
  ['Look before it runs', [review, parse, mend]],
  ['Take it back', [undo, redo, log, recover, stepBack, stepForward, squash]],
  ['Test', [replay, worker]],
  ['Let a model work', [chat, batch, cron, gateway, prompt, skills]],
  ['Serve and extend', [serve, mcp, acp, ext, tools]],
  ['Set up, and find out', [init, setup, config, status, doctor, help, completion, version, update, uninstall]],
]

/** Commands by purpose, in the order of the help. */
export const COMMAND_GROUPS: readonly CommandGroup[] = GROUPS.map(([title, specs]) => ({
  title,
  commands: specs.map((spec): Command => ({
    maxPositionals: 0, usage: [`${spec.name} [options]`], ...spec,
    about: spec.about.trim().split(/\n */), flags: [...spec.flags, HELP_FLAG],
  })),
}))

/** Every command. Help, hints and dispatch are derived from this list. */
export const COMMANDS: readonly Command[] = COMMAND_GROUPS.flatMap(({ commands }) => commands)
