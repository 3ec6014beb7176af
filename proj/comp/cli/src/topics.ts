/** A page of docs/ in short, for `hermes help TOPIC`. */
export interface Topic {
  name: string
  title: string
  /** Where all of it stands. */
  page: string
  text: string
}

export const TOPICS: readonly Topic[] = [
  {
    name: 'getting-started', title: 'The first run', page: 'docs/getting-started.md',
    text: `
hermes doctor                              what is there, and how to mend what is not
hermes init                                hermes.yaml for the project
hermes prompt --root-alias /workspace      what to tell the model
hermes apply answer.md --dry-run           what the answer would change
hermes apply answer.md --root-alias /workspace
hermes undo                                takes it back`,
  },
  {
    name: 'formats', title: 'How blocks are written', page: 'docs/formats.md',
    text: `
SHAM       #!SHAM [@three-char-SHA-256: abc] … #!END_SHAM_abc, with name = "value" lines and heredocs
NESL       the same, with #!NESL or #!nesl
envelope   a fence of the words yaml hermes or json hermes, with verb: and arguments:
tool call  <tool_call>{"name": …, "arguments": {…}}</tool_call> at the start of a line
others     search-replace, v4a, unified: only with --edit-format

What is quoted never runs: in other fences, blockquotes, comments, think sections, indented four columns.`,
  },
  {
    name: 'watch', title: 'Answers that come into a file or a folder', page: 'docs/watch.md',
    text: `
hermes watch ~/Downloads --root ./project   runs each answer saved there, once; its summary is NAME.hermes.md beside it
hermes watch answer.md --prepend            the summary stands above the answer
hermes apply --clipboard --feedback         from the clipboard, and the feedback back to it`,
  },
  {
    name: 'interactive', title: 'A prompt for answers and envelopes', page: 'docs/interactive.md',
    text: `
hermes interactive prompts. Pasted blocks run with Enter, typed ones with an empty line after a complete block, or /run.
/help lists the commands, such as /diff, /undo and /tools; Tab completes. One session is kept until /quit.`,
  },
  {
    name: 'policy', title: 'What runs may do', page: 'docs/policy.md',
    text: `
~/.hermes/config.yaml is yours, hermes.yaml the project's; the stricter of the two counts, and flags cannot loosen them.
hermes config shows what counts and which line says so; hermes config set verbs.exec ask changes it.`,
  },
  {
    name: 'hooks', title: 'Formatter, linter and tests around a run', page: 'docs/hooks.md',
    text: `
hooks: in hermes.yaml or ~/.hermes/config.yaml: before, after_write (files: '*.ts', run: [prettier, -w, '{paths}']) and
after (run: npm test). They run in the sandbox; what fails is in the result and in --feedback. Those of a project run only when
you say so: at the terminal, with --yes, or by trusted_hooks in your own file. --no-hooks runs none.`,
  },
  {
    name: 'plans', title: 'Look first, then do exactly that', page: 'docs/plans.md',
    text: `
hermes apply answer.md --dry-run --plan plan.json    saves what would happen, with the answer
hermes apply --plan plan.json                        does exactly that, or says what changed since and runs nothing`,
  },
  {
    name: 'undo', title: 'Taking it back', page: 'docs/undo.md',
    text: `
hermes log                  the runs of this root, with their commits
hermes undo                 takes back the last one; stops where files were changed since (--force merges)
hermes redo                 repeats what was taken back
hermes recover              after a crash: finishes the interrupted run; --restore puts back what was before it
hermes step-back            goes a commit back, with unfinished work stashed
--atomic is all blocks or none; --no-git makes no commit.`,
  },
  {
    name: 'approvals', title: 'What is asked, and who answers', page: 'docs/approvals.md',
    text: `
Dangerous commands, commands without a sandbox, and verbs that the policy says ask for need a yes: at the terminal
[o]nce [s]ession [a]lways [d]eny. With nobody to ask they fail with APPROVAL_DENIED; --yes approves what is dangerous, but
not that there is no sandbox.`,
  },
  {
    name: 'sandbox', title: 'What holds commands', page: 'docs/sandbox.md',
    text: `
On Linux bubblewrap: a command writes in the root only, sees no home and no network (--network). Where it does not work,
each command needs an approval; --sandbox none is a yes for all. hermes doctor tries it.`,
  },
  {
    name: 'review', title: 'Look before it runs, in the browser', page: 'docs/review.md',
    text: `
hermes review answer.md --root ./project shows what each block would do as a diff; leave blocks out, edit them, approve
commands, run, watch, undo. Only who has the printed address sees the page; closing it ends the review.`,
  },
  {
    name: 'replay', title: 'Recorded conversations as tests', page: 'docs/replay.md',
    text: `
hermes replay FOLDER runs transcripts again, each in a fresh workspace, and says which results changed.
hermes apply --record FILE.jsonl writes one; --update makes what comes now the record.`,
  },
  {
    name: 'ci', title: 'hermes in continuous integration', page: 'docs/ci.md',
    text: `
hermes init offers a workflow for GitHub. Elsewhere: hermes replay FOLDER --report replay.xml, whose exit code is 1 where
something drifted. With CI set nobody is asked.`,
  },
  {
    name: 'reports', title: 'What is kept of a run', page: 'docs/reports.md',
    text: `
hermes apply answer.md --report run.html   a page to look at: cards, diffs, output, the answer
hermes apply answer.md --report run.md     for CI
hermes apply answer.md --report run.json   for programs

The page is one file without anything from elsewhere. Press ? in it for its keys.`,
  },
  {
    name: 'agent', title: 'The agent, and how it goes on when something breaks', page: 'docs/agent.md',
    text: `
import { Agent, openSessionStore } from 'hermes/agent'

It asks a model over the interface of OpenAI's chat completions, runs its calls or blocks, and hands back the results, until the
answer is text only. The key comes from OPENROUTER_API_KEY or OPENAI_API_KEY.
Conversations are kept in ~/.hermes/sessions and go on where they were, also after a kill: what completed is not run again.`,
  },
  {
    name: 'library', title: 'hermes in a program of your own', page: 'docs/library.md',
    text: `
execute(text, options)      runs the blocks of a text; never rejects for anything in it
new Hermes(options)         a session: execute again and again, or stream(chunks)
parse(text)                 reads blocks without running them
renderFeedback(result)      the text to hand back to the model
hermes/core runs in a browser; hermes/agent is a loop around a model.`,
  },
  {
    name: 'embedding', title: 'hermes in a harness of your own', page: 'docs/embedding.md',
    text: `
import { Hermes, renderFeedback } from 'hermes'
const hermes = new Hermes({ root, rootAliases: ['/workspace'] })
const result = await hermes.execute(answer)
const next = renderFeedback(result)   // what to tell the model`,
  },
  {
    name: 'writing-a-verb', title: 'Verbs of your own', page: 'docs/writing-a-verb.md',
    text: `
A verb is one object: defineVerb({ name, description, type, args, result, handler, … }), with valibot schemas. Register it
with hermes.registry.register(verb). Handlers touch files only through gate and files.`,
  },
  {
    name: 'extensions', title: 'Programs that work on answers', page: 'docs/extensions.md',
    text: `
hermes apply answer.md --extension NAME lets a program of your config rewrite the answer before it runs.
hermes ext list shows those you have, hermes ext run -- COMMAND tries one. The project's hermes.yaml cannot name any.`,
  },
  {
    name: 'server', title: 'For editors and other programs', page: 'docs/server.md',
    text: `
hermes serve speaks JSON-RPC 2.0: on standard input and output, on a socket (--pipe), or by HTTP of this machine (--http).
Every client is bound by the policy files and by the flags; what it asks for can only narrow them.`,
  },
  {
    name: 'mcp', title: 'The Model Context Protocol, both ways', page: 'docs/mcp.md',
    text: `
hermes mcp --root . --toolset core offers the verbs as tools; each call is a run that hermes undo takes back.
mcp_servers in ~/.hermes/config.yaml makes tools of other servers verbs: mcp.SERVER.TOOL; hermes tools list --mcp shows them.`,
  },
  {
    name: 'scale', title: 'Replay on many machines', page: 'docs/scale.md',
    text: `
hermes replay FOLDER --queue redis://HOST --store s3://BUCKET puts transcripts on a queue; hermes worker with the same two
takes them, on any number of machines. --queue-status shows what waits, runs and failed. hermes batch --queue does the same
with prompts, for hermes worker --prompts.`,
  },
  {
    name: 'setup', title: 'Model, keys and settings of the agent', page: 'docs/setup.md',
    text: `
hermes setup      asks for server, key and model; keys go to ~/.hermes/.env, which only you can read
hermes status     what the agent would work with, and the line that says so
hermes config set max_turns 40
Flags count before the environment, that before .env, that before ~/.hermes/config.yaml. hermes update brings the program
up to date from where it came; hermes uninstall says how it is removed.`,
  },
  {
    name: 'cron', title: 'Scheduled jobs', page: 'docs/cron.md',
    text: `
hermes cron add "30 7 * * 1-5" "Summarise what changed since yesterday in NEWS.md"
hermes cron add @hourly --answer checks.md
hermes cron run                            the runner; --once runs what is due and ends
hermes cron log --output
Missed times are made up once, overlapping runs are skipped, a run that died is told and not run again.`,
  },
  {
    name: 'gateway', title: 'Messages to the agent', page: 'docs/gateway.md',
    text: `
hermes gateway answers a signed webhook, and Slack. Only users of gateway.<adapter>.allowed_users are heard, each conversation
has a session of its own, and no message can approve a dangerous command: it is blocked, and the answer says why.`,
  },
  {
    name: 'chat', title: 'Talking to a model that works', page: 'docs/chat.md',
    text: `
hermes chat --root ./project               a conversation; /help in it lists the commands
hermes chat --resume                       goes on with the last one
hermes chat -q "Which file has no test?"   one question: the answer on standard output
--json prints events for scripts. Ctrl-C stops an answer, twice leaves; /undo takes it back with its files.`,
  },
  {
    name: 'batch', title: 'Many prompts at once', page: 'docs/batch.md',
    text: `
hermes batch prompts.jsonl --out data/first --workers 4 gives a model each prompt in a workspace of its own, and keeps the
conversations as training data. --resume goes on where it was interrupted or killed, and runs again what failed.`,
  },
  {
    name: 'terminal', title: 'Shells that stay, on a terminal', page: 'docs/terminal.md',
    text: `
terminal_run         a command in the task's shell: directory, variables and functions stay
terminal_background  a program beside it; terminal_poll, terminal_input and terminal_kill take its id
terminal_list        what runs

They run in the sandbox, end with the session, and need the package @lydell/node-pty: hermes tools doctor looks.`,
  },
  {
    name: 'skills', title: 'Documents that tell models how', page: 'docs/skills.md',
    text: `
A skill is a folder with a SKILL.md: skills/ and .hermes/skills/ of the project, ~/.hermes/skills/ of yours.
hermes skills new NAME makes one, hermes skills check tells what cannot be used.
Models read them by skills_categories, skills_list and skill_view.`,
  },
  {
    name: 'verbs', title: 'What blocks can call', page: 'docs/verbs.md',
    text: `
hermes tools list shows all, hermes tools show NAME one with its parameters and an example.`,
  },
  {
    name: 'troubleshooting', title: 'What failures mean', page: 'docs/troubleshooting.md',
    text: `
Each failure has a code: hermes help CODE says its cause, an example and the fix. hermes doctor looks at the machine.`,
  },
  {
    name: 'security', title: 'What is defended, and what is not', page: 'docs/SECURITY.md',
    text: `
The answer of a model is not trusted, and neither is the repository it works in. Verbs pass the path gate, commands the
sandbox; recognising dangerous commands is only a seat belt.`,
  },
]
