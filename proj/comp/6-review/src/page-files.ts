import type { ServerResponse } from 'node:http'

/** Nothing but the page's own files; and no text is ever taken for a part of the page. */
const POLICY = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", 'img-src data:',
  "base-uri 'none'",
  "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
].join('; ')

export interface PageFiles {
  script: string
  style: string
}

const TYPES: Readonly<Record<string, string>> = {
  '/': 'text/html; charset=utf-8', '/review.js': 'text/javascript; charset=utf-8',
  '/review.css': 'text/css; charset=utf-8',
}

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>hermes review</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/review.css">
<script type="module" src="/review.js"></script>
</head>
<body>
<div id="page"></div>
<noscript><div class="outside">
<h1>This page needs JavaScript</h1>
<p>Without it, hermes apply FILE --dry-run shows at the terminal what each block would change.</p>
</div></noscript>
</body>
</html>
`

/** Whether this is a part of the page, which everyone may have: it holds nothing of the answer. */
export function isPagePath(path: string): boolean {
  return Object.hasOwn(TYPES, path)
}

/** Answers with a part of the page. */
export function sendPage(path: string, { script, style }: PageFiles, response: ServerResponse): void {
  const body = path === '/review.js' ? script : path === '/review.css' ? style : HTML
  response.writeHead(200, {
    'content-type': TYPES[path], 'content-length': Buffer.byteLength(body), 'content-security-policy': POLICY,
    'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin',
  })
  response.end(body)
}
