/**
 * The policy file that `hermes init` writes: every field of docs/policy.md, commented out. A test parses it, with and
 * without the comment marks.
 */
export const POLICY_TEMPLATE =
  `# What hermes may do in this project. A project's file can only make a run stricter than ~/.hermes/config.yaml
# and the flags do. All fields: hermes help policy. Remove the # of what you want.
_config_version: 1

# Verbs touch only what matches one of these patterns:
#allow: [src, test, docs, '*.md']
# Neither read nor changed:
#deny: ['*.sqlite', fixtures/secret]
# Read, and not changed:
#read_only: [vendor]

# on, ask (each call needs an approval) or off:
#verbs:
#  exec: ask
#  git: off
#  network: off

# Sizes such as 512KB or 10MB, times such as 90s or 5m:
#limits:
#  command_time: 5m
#  blocks: 200

# Commands around each run, in the sandbox, once you have agreed to them; hermes help hooks:
#hooks:
#  after_write:
#    - files: '*.ts'
#      run: [npx, prettier, -w, '{paths}']
#  after:
#    - run: npm test
#      time_limit: 5m

# Formats of other tools that answers are read in, and whose tools their calls are; hermes help formats:
#dialects: [cline, whole]
#mapping: auto

# What is looked for in code that a block has written: off, syntax, or full (with TypeScript, takes seconds):
#checks: syntax

# What a reply to the model may take, and what it is told of one call (MCP, chat, adapters):
#reply: { tokens: 8000, call_tokens: 10000 }

# bwrap: no command without this sandbox; auto: with what there is, else each needs an approval:
#sandbox: bwrap
`

/** The same as examples/ci/workflow.yml, which a test runs. */
export const WORKFLOW_TEMPLATE =
  `# To be put into .github/workflows/ of a project that keeps transcripts in tests/transcripts.
name: replay
on: [push, pull_request]
permissions:
  contents: read
jobs:
  replay:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/checkout@v4
        with:
          # Where you keep hermes.
          repository: OWNER/hermes
          path: hermes
      - uses: actions/setup-node@v4
        with:
          node-version: 20
      - name: Install the sandbox
        run: sudo apt-get install --yes bubblewrap
      - uses: ./hermes/examples/ci/action
        # There is nothing to replay before the first recording.
        if: hashFiles('tests/transcripts/**') != ''
        with:
          transcripts: tests/transcripts
          # 'true' fails also where a result cannot be compared: its start is not in the recording.
          strict: 'false'
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: replay
          path: reports
`
