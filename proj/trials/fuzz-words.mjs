/** Pieces that mean something to each target. */
export const WORDS = {
  parse: [
    '#!SHAM [@three-char-SHA-256: abc]\n', '#!END_SHAM_abc\n', "x = <<'EOT_SHAM_abc'\n", 'EOT_SHAM_abc\n', 'action = "file_write"\n', '#!NESL [@x: q1]\n', '#!end_q1', '```yaml hermes\n', '```\n', '````', '~~~',
    'verb: fs.readFile\narguments:\n  path: a\n', '---\n', '<tool_call>{"name":"ls","arguments":{"path":"src"}}</tool_call>\n', '</tool_call>', '<think>', '</think>', '<!--', '-->', '> ', '- ', '&a ', '*a', '!!js/function ', '<<: ', '"__proto__": ', '{"a":', '[', '1e999', '9007199254740993', '? ', '|2\n', '\\u0000',
  ],
  config: [
    'roots:', 'allow:', 'deny:', 'read_only:', 'readable:', 'verbs:', 'limits:', 'command_allowlist:', 'env:', 'sandbox:', 'terminal:', 'none', 'auto', 'on', 'off', 'ask', 'exec', 'network', 'file_size', '10MB', '90s', '\n  - ', '\n  ', ': ', '{', '}', '[', '&a [', '*a', '<<: ', '!!binary ', '"**/*"', '~/x', '%YAML 1.1\n---\n', '# ', "'", '-1', '1e400', '.inf', '__proto__:',
  ],
  gate: [
    'src/a.ts', '../outside/secret', '/workspace/src/a.ts', 'out/secret', 'in/a.ts', 'loop', 'dead', 'git/config', 'abs/secret', 'up/outside/secret', '.git/config', '.GIT/config', '.git./x', '.hermes/runs/1', 'hermes.yaml', 'HERMES.YAML', '.ssh/id_rsa', '.env', '/proc/self/root/etc/passwd',
    '/dev/fd/0', '//', '/./', '/../', '\0', '~/.ssh', 'C:\\Windows', '\\\\server\\share', 'file:///etc/passwd', '%2e%2e/', '..\\..', 'src/deep/../../../outside', '../root-evil/a', '. ', '.git\u200c', '\uff0e\uff0e/', 'allowed/x', ':$DATA', 'NUL', '/etc/passwd', 'src//a.ts/',
  ],
  command: [
    'rm -rf ', '$(', ')', '`', '${', '}', '"', "'", ' | ', ' && ', '; ', '&', '<<EOF\n', '\nEOF\n', '<<< ', ' > ', 'eval ', 'sh -c ', 'xargs ', 'find . -exec ', ' {} \\;', 'if true; then ', '; fi', 'while :; do ', '; done', 'case x in a) ', ';; esac', 'f() { ', '; }', '((', '))', '[[', ']]', '{a,b}', '$\'\\x72\'', '${x:-', '${x//', '${!x}', '${a[@]}', 'a=(', 'base64 -d', 'curl x', '<(', '>(', '!', '\\\n', '#', "import os\nos.system('", 'subprocess.run([', "require('child_process').execSync(`", '%x(', 'f"', '"""', '`rm`', '.join(', '+',
  ],
}
WORDS.execute = WORDS.parse
WORDS.envelope = [...WORDS.parse, ...WORDS.config]
