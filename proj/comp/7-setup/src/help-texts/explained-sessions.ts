/**
 * For codes that no answer alone causes: what to type to see them, after `$`, and the output. A test checks that the
 * commands and flags exist.
 */
export const SESSIONS: Readonly<Record<string, string>> = {
  INVALID_EDIT: `$ printf 'a.txt\\n<<<<<<< SEARCH\\none\\n>>>>>>> REPLACE\\n' | hermes apply - --edit-format `
    + 'search-replace',
  STRAY_THINK_END: `# A model whose opening <think> is not part of its answer:
$ model | hermes apply -                      # runs a block, then reads </think>
$ model | hermes apply - --starts-in-think    # takes all before it for thinking`,
  DIFF_AS_FILE: `$ printf 'a.txt\\n~~~\\n@@ -1 +1 @@\\n~~~\\n' | hermes apply - --edit-format whole`,
  EXCERPT: `# a.txt has ten lines, and the fence three of them:
$ printf 'a.txt\\n~~~\\none\\ntwo\\nthree\\n~~~\\n' | hermes apply - --edit-format whole`,
  QUOTED_FILE: `$ printf 'a.txt currently says:\\n\\n~~~ text a.txt\\none\\n~~~\\n' | hermes apply - --edit-format whole`,
  OUTPUT_LIMIT: `# hermes.yaml
limits: { output_size: 64KB }
# A block that reads 100 KB is refused, since its result would be larger; one that reads lines 1-500 is not.`,
  CANCELLED: `$ hermes apply answer.md
^C
✗  b1   exec                bash: npm test
    exec: cancelled (CANCELLED)
    hint: The run was cancelled from outside. Send the block again to run it.`,
  NO_BLOCKS: `$ echo 'All done.' | hermes apply - --require-blocks
hermes: No live block was found, and --require-blocks asks for one`,
  CHANGED_ON_DISK: `# The model reads a file, you save it in your editor, and the same session edits it:
✗  b2   file_replace_text   /w/a.txt
    a.txt was changed by someone else meanwhile  CHANGED_ON_DISK`,
  NOT_INSTALLED: `# A block needs what this machine lacks, e.g. exec with lang = "ruby" without ruby:
$ hermes doctor        # what is there, and how to get the rest`,
  TERMINAL_FAILED: `# The shell of terminal_run ends before its first prompt, e.g. through a line "exit 1" in what it reads at its start.
$ hermes doctor`,
  SHELL_BUSY: `<tool_call>{"name":"terminal_run","arguments":{"command":"npm run dev","wait_seconds":1}}</tool_call>
<tool_call>{"name":"terminal_run","arguments":{"command":"npm test"}}</tool_call>
terminal_run: the shell still runs: npm run dev  SHELL_BUSY`,
  TOOL_FAILED: `# A server in mcp_servers answers with isError: true:
mcp_github_create_issue: Resource not accessible by integration  TOOL_FAILED`,
  SERVER_FAILED: `# ~/.hermes/config.yaml names a server with env: { TOKEN: \${GITHUB_TOKEN} }, and the variable is missing:
The MCP server github cannot be started: GITHUB_TOKEN is not set  SERVER_FAILED`,
  EXTENSION_FAILED: `$ hermes apply answer.md --extension checker
hermes: Extension 'checker' failed at review: no rules found
  Nothing was run. --log with hermes ext run shows what it writes to standard error.`,
  HOOK_FAILED: `# hermes.yaml
hooks: { before: [{ name: clean, run: git diff --quiet }] }

$ hermes apply answer.md
✗  hook  clean               git diff --quiet
    hook clean exited with code 1  NONZERO_EXIT
fatal: Nothing was run: hook clean exited with code 1`,
  NOTHING_TO_COMMIT: `$ echo '{"verb": "git_commit", "arguments": {"message": "x"}}' | hermes exec    # right behind a commit
{
  "succeeded": false,
  "errorMessage": "git_commit: nothing to commit: nothing is staged",
  "errorCode": "NOTHING_TO_COMMIT",
  "hint": "All is committed already: change something first."
}`,
  OPERATION_IN_PROGRESS: `$ git merge topic      # conflicts
$ hermes squash
hermes: squash: a merge is in progress, so nothing was changed`,
  LOCKED: `$ hermes apply long.md &
$ hermes apply answer.md               # refused while the first works in the root
$ hermes apply answer.md --wait 60     # waits for it`,
  INTERRUPTED_RUN: `$ hermes apply long.md & sleep 1; kill -9 $!
$ hermes apply answer.md               # refused
$ hermes recover                       # or --restore`,
  NOTHING_TO_UNDO: `$ hermes undo          # in a directory where nothing ran
hermes: There is no run to undo
  hermes log lists the runs.`,
  UNTRUSTED_JOURNAL: `$ hermes undo                          # in a folder that came with .hermes in it
hermes: Nothing was undone: Run 20250101T000000000Z-abcdef is not signed with the key of this user
$ hermes log                           # what it would take back
$ hermes undo --trust-journal`,
  NOTHING_TO_SQUASH: `$ hermes squash        # with one commit that is not pushed
hermes: squash: nothing to squash: of 1 unpushed commit, 0 would be squashed`,
  NO_IDENTITY: `$ hermes squash        # where git config user.name says nothing
hermes: squash: git does not know who commits
  Say it once: git config --global user.name "NAME" and git config --global user.email ADDRESS.`,
  NETWORK_NOT_HELD: `$ hermes apply answer.md --network=packages.example.com --sandbox none
fatal: --network=HOST,… (packages.example.com) is refused: nothing here holds commands to it: …`,
  RUN_STOPPED: `$ hermes apply answer.md --json    # while a policy file cannot be read
{ …, "success": false, "fatalError": "hermes.yaml:1: …", "code": "RUN_STOPPED", "error": "hermes.yaml:1: …", "hint": "…" }`,
  CALLBACK_FAILED: `const approve = () => { throw new TypeError('no such window') }
const result = await execute(answer, { approve })
result.results[0].code      // CALLBACK_FAILED
result.thrown[0].callback   // approve
result.thrown[0].error      // TypeError: no such window`,
  INTERNAL: `# A verb of your own throws what is no HermesError:
new Verb({ name: 'mine', …, handler: () => { throw new TypeError('x is not a function') } })`,
  EACCES: `$ chmod 000 secret.txt
$ echo '{"verb": "read_file", "arguments": {"path": "secret.txt"}}' | hermes exec    # as another user than root`,
  ENOSPC: `$ df -h .              # Use% 100%
$ hermes apply answer.md`,
  EPERM: `$ sudo chattr +i fixed.txt
$ echo '{"verb": "file_delete", "arguments": {"path": "'"$PWD"'/fixed.txt"}}' | hermes exec`,
  EROFS: `$ hermes apply answer.md --root /mnt/cdrom`,
  INVALID_OPTION: `$ hermes apply answer.md --tool-set core
hermes: Unknown flag: --tool-set
  Did you mean --toolset? See the flags with --help.`,
  INVALID_POLICY: `$ echo 'limts: {}' > hermes.yaml
$ hermes apply answer.md
fatal: hermes.yaml:1:1: unknown name limts; did you mean limits?`,
  INVALID_PLAN: `$ hermes apply --plan a.txt
hermes: a.txt is not JSON
  Make the plan again: hermes apply ANSWER --dry-run --plan FILE.`,
  PLAN_CHANGED: `$ hermes apply answer.md --dry-run --plan plan.json
$ echo more >> a.txt
$ hermes apply --plan plan.json
hermes: The plan plan.json no longer holds, so nothing was run: /w/a.txt changed since the plan was made`,
  INVALID_TRANSCRIPT: `$ echo '{"type": "x"}' > t.jsonl
$ hermes replay t.jsonl
✗  t.jsonl:1  The record has no form that is known  INVALID_TRANSCRIPT
    hint: Name the form with --format, or leave the record out.`,
  INVALID_MAPPING: `$ hermes replay t.jsonl --mapping a.txt
$ hermes replay --show-mapping common    # one that is right`,
  INVALID_JOB: `# A worker of an older hermes takes work of a newer one:
$ hermes replay t.jsonl --queue redis://127.0.0.1:6379/0
$ hermes replay --queue redis://127.0.0.1:6379/0 --queue-status    # lists what failed`,
  OTHER_SERVER: `$ OPENAI_BASE_URL=http://127.0.0.1:8000/v1 hermes worker --prompts --queue redis://127.0.0.1:6379/0 &
$ OPENAI_BASE_URL=https://openrouter.ai/api/v1 hermes batch prompts.jsonl --out data/first --queue redis://127.0.0.1:6379/0
✗ line 1: The worker asks http://127.0.0.1:8000/v1, and the prompt is for https://openrouter.ai/api/v1 OTHER_SERVER`,
  CORRUPT_CONTENT: `# A file in the directory of --store was changed by hand:
$ hermes replay t.jsonl --queue redis://127.0.0.1:6379/0 --store /srv/store`,
  UNREACHABLE: `$ hermes doctor --queue redis://127.0.0.1:6379/0
✗  Redis         127.0.0.1:6379: ECONNREFUSED
                 fix: Start the server (redis-server), or correct the address; the password may stand in HERMES_QUEUE_PASSWORD.`,
  NO_CLIPBOARD: `$ ssh server
$ hermes apply --clipboard
hermes: The clipboard cannot be used: Clipboard access requires a display server (X11 or Wayland).`,
  MODEL_FAILED: `# The key is wrong:
The model's server failed: 401 Incorrect API key provided  MODEL_FAILED`,
  NOT_UPDATED: `$ hermes update --yes        # in a clone where bench/run.mjs is changed
hermes: There are changes of yours in /home/me/hermes, and so nothing was touched
  Commit them, or git stash, there: bench/run.mjs`,
  ALREADY_REGISTERED: `registry.register(new Verb({ name: 'FS.writeFile', … }))
Verb 'FS.writeFile' is already registered.  ALREADY_REGISTERED`,
}
