import { squash as squashCommits, squashRequest } from '../../../../3-transaction/src/index.js'
import { renderSquash } from '../../../../7-output/src/index.js'
import type { Arguments } from '../../arguments.js'
import { historyCommand } from '../../history-command.js'

/** `hermes squash`: one commit of several that are not pushed yet. */
export function squash(args: Arguments): Promise<number> {
  const request = squashRequest({
    mode: args.value('mode'), message: args.value('message'), hours: args.value('hours'), days: args.value('days'),
    msgContains: args.value('msg-contains'), allGroups: args.has('all-groups'),
  })
  return historyCommand(args, options => squashCommits(options, request), renderSquash)
}
