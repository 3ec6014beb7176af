import type { Command, CommandGroup } from './command.js'
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

/** Commands by purpose, in the order of the help. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { title: 'Run what a model answers', commands: [apply, watch, interactive, exec] },
  { title: 'Look before it runs', commands: [review, parse, mend] },
  { title: 'Take it back', commands: [undo, redo, log, recover, stepBack, stepForward, squash] },
  { title: 'Test', commands: [replay, worker] },
  { title: 'Let a model work', commands: [chat, batch, cron, gateway, prompt, skills] },
  { title: 'Serve and extend', commands: [serve, mcp, acp, ext, tools] },
  {
    title: 'Set up, and find out',
    commands: [init, setup, config, status, doctor, help, completion, version, update, uninstall],
  },
]

/** Every command. Help, hints and dispatch are derived from this list. */
export const COMMANDS: readonly Command[] = COMMAND_GROUPS.flatMap(({ commands }) => commands)
