import type { ReadFormat } from '../../0-contracts/src/index.js'

/** An example answer for the page. */
export interface PlaygroundExample {
  name: string
  text: string
  /** Formats to read besides hermes' own blocks. */
  formats: readonly ReadFormat[]
}

/** Short answers in several formats; the first has a block of each state that the page shows. */
export const EXAMPLES: readonly PlaygroundExample[] = [
  {
    name: 'First look', formats: [],
    text: `I'll add the discount, fix the total, and run the tests.

<think>
A first idea was to write everything anew:
#!SHAM [@three-char-SHA-256: d0x]
action = "file_write"
#!END_SHAM_d0x
</think>

\`\`\`sh sham
#!SHAM [@three-char-SHA-256: k3f]
action = "file_write"
path = "/workspace/src/discount.js"
content = <<'EOT_SHAM_k3f'
/** Ten of a kind cost nine. */
export const discount = (count, price) => Math.floor(count / 10) * price
EOT_SHAM_k3f
#!END_SHAM_k3f
\`\`\`

The total has to use it:

\`\`\`sh sham
#!SHAM [@three-char-SHA-256: p9w]
action = "file_replace_text"
path = "/workspace/src/cart.js"
old_text = "return sum"
new_text := "return sum - discounts(items)"
#!END_SHAM_p9w
\`\`\`

<tool_call>
{"name": "str_replace_editor", "arguments": {"command": "view", "path": "/workspace/src/cart.js"}}
</tool_call>

src/receipt.js
<<<<<<< SEARCH
total(cart)
=======
total(cart).toFixed(2)
>>>>>>> REPLACE

Then the tests:

<tool_call>
{"name": "execute_command", "arguments": {"command": "npm test",}}
</tool_call>
`,
  },
  {
    name: 'YAML calls', formats: [],
    text: `\`\`\`yaml hermes
verb: fs.writeFile
arguments:
  path: notes/today.md
  content: |
    # Today
---
verb: fs.readFil
arguments:
  path: notes/today.md
\`\`\`
`,
  },
  {
    name: 'Calls of a model', formats: [],
    text: `I look at the file, then run its tests.

<tool_call>
<function=read_file>
<parameter=path>
src/cart.js
</parameter>
</function>
</tool_call>

<tool_call>
{"name": "execute_command", "arguments": {"command": "npm test"}}
</tool_call>
`,
  },
  {
    name: 'SEARCH/REPLACE', formats: ['search-replace'],
    text: `The total ignores the discount, so I change that line:

src/cart.js
\`\`\`js
<<<<<<< SEARCH
  return sum
=======
  return sum - discounts(items)
>>>>>>> REPLACE
\`\`\`
`,
  },
  {
    name: 'A patch', formats: ['v4a'],
    text: `*** Begin Patch
*** Update File: src/cart.js
@@ export function total(items) {
-  return sum
+  return sum - discounts(items)
*** End Patch
`,
  },
  {
    name: 'Cut off', formats: [],
    text: `I write the whole module:

\`\`\`sh sham
#!SHAM [@three-char-SHA-256: m2c]
action = "file_write"
path = "/workspace/src/money.js"
content = <<'EOT_SHAM_m2c'
/** Cents as a text. */
export function money(cents) {
  return (cents / 100).to
`,
  },
]
