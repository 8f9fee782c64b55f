import type { NextConfig } from 'next'

const publicUrl = process.env.BETTER_AUTH_URL

// loaded by the server alone, and only where OTEL_EXPORTER_OTLP_ENDPOINT is set
const telemetryPackages = [
  '@opentelemetry/api',
  '@opentelemetry/exporter-metrics-otlp-http',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace',
]

const nextConfig: NextConfig = {
  typedRoutes: true,
  turbopack: {
    root: import.meta.dirname,
    // HTML in a reply is text: the parser of HTML that Streamdown brings along would be loaded and never run
    resolveAlias: Object.fromEntries(
      ['rehype-raw', 'rehype-sanitize', 'rehype-harden'].map((name) => [
        name,
        './components/thread/markdown/no-html.ts',
      ]),
    ),
  },
  reactCompiler: true,
  agentRules: false,
  poweredByHeader: false,
  // its button covers the account, and `npm run dev` is how most people first see the app
  devIndicators: false,
  // the test command has run `tsc` already and says so; a plain build still checks
  typescript: { ignoreBuildErrors: process.env.RAMIFY_TYPES_CHECKED === '1' },
  // `next dev` opened at 127.0.0.1 never hydrates without it
  allowedDevOrigins: ['127.0.0.1'],
  serverExternalPackages: ['@electric-sql/pglite', 'postgres', ...telemetryPackages],
  outputFileTracingIncludes: {
    '/*': [
      './drizzle/**/*',
      './lib/db/functions/**/*',
      './docs/*.md',
      './package-lock.json',
      // what reads attached files is a process of its own; with the state of the sources it would look for them
      './lib/runtime/cli/{run,bundled}.mjs',
      './dist/{chunks,lib}/**/*',
      './node_modules/{sharp,@img,detect-libc,semver}/**/*',
      './node_modules/geist/dist/fonts/*/*-Variable.woff2',
    ],
  },
  // a folder that is known only when it runs has the build trace every file whose name could be meant
  outputFileTracingExcludes: {
    '/*': ['./{app,bench,components,e2e,lib,testing}/**/*.{ts,tsx,json,jsonl}', './Dockerfile'],
  },
  headers: async () => [
    {
      source: '/:path*',
      headers: [
        { key: 'X-Content-Type-Options', value: 'nosniff' },
        { key: 'Referrer-Policy', value: 'same-origin' },
        { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=()' },
        { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
        { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
      ],
    },
    {
      // its address is the key to it: no other site learns it from a link on the page
      source: '/s/:path*',
      headers: [{ key: 'Referrer-Policy', value: 'no-referrer' }],
    },
    {
      // a question about access: in no frame, in old browsers too, and its address names who asks
      source: '/oauth/:path*',
      headers: [
        { key: 'X-Frame-Options', value: 'DENY' },
        { key: 'Referrer-Policy', value: 'no-referrer' },
      ],
    },
  ],
  // the commands, the reads of threads and the health check are promised under both addresses
  rewrites: async () => [
    { source: '/health', destination: '/api/health' },
    { source: '/commands/:path*', destination: '/api/commands/:path*' },
    { source: '/threads/:path*', destination: '/api/threads/:path*' },
  ],
  experimental: {
    // each entry has a copy of the server's code: one that is not asked for takes memory, and the first page would wait for all of them
    preloadEntriesOnStart: false,
    agentUpgrade: false,
    turbopackRustReactCompiler: true,
    // the test command builds once: a cache would be written for nothing, which takes a fifth of its time
    turbopackFileSystemCacheForBuild: process.env.RAMIFY_TYPES_CHECKED !== '1',
    // behind a proxy that changes the host, a page's own origin is the public one
    serverActions: { allowedOrigins: publicUrl && URL.canParse(publicUrl) ? [new URL(publicUrl).host] : [] },
  },
}

export default nextConfig
