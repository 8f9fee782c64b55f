import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { createModels } from '@/lib/ai'
import { readEnv } from '@/lib/runtime/env'
import { apiDocument } from '@/lib/server/api/openapi'
import { repoRoot } from '@/testing/runner/repo-root'

const read = (file: string) => readFileSync(path.join(repoRoot, file), 'utf8')

/** A value as Compose fills it in: the default after `:-`, or for what has to be given a long text. */
const filled = (value: string) =>
  value.replaceAll(
    /\$\{\w+(?::-([^}]*)|:\?[^}]*)\}/g,
    (_all, fallback?: string) => fallback ?? 'x'.repeat(32),
  )

describe('Compose', () => {
  const { services } = parse(read('compose.yaml'))
  const ollama = parse(read('compose.ollama.yaml')).services
  const environmentOf = (given: Record<string, string>) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, filled(value)]))

  test('the server starts with the settings that the file gives it, once its database answers', () => {
    const environment = environmentOf(services.ramify.environment)
    const env = readEnv({ ...environment, NODE_ENV: 'production' })
    const { hostname, username, password, pathname } = new URL(env.DATABASE_URL ?? '')
    const given = environmentOf(services[hostname].environment)
    expect([username, password, pathname]).toEqual([
      given.POSTGRES_USER,
      given.POSTGRES_PASSWORD,
      `/${given.POSTGRES_DB}`,
    ])
    expect(services.ramify.depends_on[hostname]).toEqual({ condition: 'service_healthy' })
    expect(services[hostname].healthcheck.test).toContain('pg_isready')
  })

  test('the server has no rights and writes to its volume alone; no other machine reaches it', () => {
    const { read_only, cap_drop, security_opt, tmpfs, volumes, ports } = services.ramify
    expect({ read_only, cap_drop, security_opt, tmpfs, volumes }).toEqual({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: ['/tmp'],
      volumes: ['data:/data'],
    })
    expect(ports).toEqual(['127.0.0.1:3000:3000'])
    expect(services.postgres.ports).toBeUndefined()
  })

  test('with Ollama beside it, the models of Ollama are offered', () => {
    const environment = environmentOf(ollama.ramify.environment)
    const { hostname } = new URL(environment.OPENAI_COMPATIBLE_BASE_URL ?? '')
    expect(Object.keys(ollama)).toContain(hostname)
    expect(
      createModels(environment)
        .describe()
        .map(({ id }) => id),
    ).toContain('openai-compatible:llama3.2')
  })
})

describe('the image', () => {
  const dockerfile = read('Dockerfile')

  test('is built by the commands of the documents, and each file that it copies exists', () => {
    const commands = [...dockerfile.matchAll(/^RUN (.*)$/gm)].map(([, command = '']) => command)
    expect(commands.slice(0, 3)).toEqual([
      'npm ci',
      expect.stringMatching(/npm run build$/),
      expect.stringMatching(/^npm prune --omit=dev/),
    ])
    const copied = [...dockerfile.matchAll(/^COPY (?:--\S+ )*(.*) \S+$/gm)]
      .flatMap(([, files = '']) => files.split(' '))
      .map((file) => file.replace(/^\/app\//, ''))
    const built = ['node_modules', '.next', 'dist', '/usr/local/bin/node', '/data']
    const missing = copied.filter((file) => !built.includes(file) && !existsSync(path.join(repoRoot, file)))
    expect(missing).toEqual([])
  })

  test('runs without rights, asks its own health, and gets the signal to stop itself', () => {
    expect(dockerfile).toMatch(/^USER 1000:1000$/m)
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\\\n\s+CMD .*\/api\/health/m)
    const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? []
    const [program, file] = JSON.parse(command)
    expect(program).toBe('node')
    expect(existsSync(path.join(repoRoot, file))).toBe(true)
  })

  test('holds no secret and no data of the folder that it is built in', () => {
    const ignored = read('.dockerignore').split('\n')
    for (const name of ['.env*', '.data', '.git', 'node_modules']) expect(ignored).toContain(name)
  })
})

describe('Vercel', () => {
  test('its schedule calls an address of the API with GET, and daily: the free plan refuses to deploy more', () => {
    const { crons } = JSON.parse(read('vercel.json'))
    for (const { path: address, schedule } of crons) {
      expect(apiDocument.paths).toHaveProperty([address, 'get'])
      expect(schedule).toMatch(/^\d+ \d+ /)
    }
  })

  test('the address that makes a deployment asks for secrets with which a function starts', () => {
    const [address = ''] = /https:\/\/vercel\.com\/new\/clone\?\S+/.exec(read('docs/self-host.md')) ?? []
    const { searchParams } = new URL(address)
    const asked = (searchParams.get('env') ?? '').split(',').map((name) => [name, 'x'.repeat(32)])
    const made = {
      DATABASE_URL: 'postgres://ramify@pooler.example/ramify',
      VERCEL: '1',
      NODE_ENV: 'production',
    }
    const env = readEnv({ ...Object.fromEntries(asked), ...made })
    expect([env.BETTER_AUTH_SECRET, env.CRON_SECRET]).toEqual(['x'.repeat(32), 'x'.repeat(32)])
    expect(JSON.parse(searchParams.get('products') ?? '')).toMatchObject([{ protocol: 'storage' }])
  })
})

describe('the manifests for Kubernetes', () => {
  const manifests = parseAllDocuments(read('deploy/kubernetes.yaml')).map((document) => document.toJS())
  const of = (kind: string) => manifests.find((manifest) => manifest.kind === kind)
  const { spec } = of('Deployment')
  const [container] = spec.template.spec.containers

  test('name each other as they are named', () => {
    const labels = spec.template.metadata.labels
    expect(spec.selector.matchLabels).toEqual(labels)
    expect(of('Service').spec.selector).toEqual(labels)
    expect(of('Service').spec.ports[0].targetPort).toBe(container.ports[0].name)
    const { service } = of('Ingress').spec.rules[0].http.paths[0].backend
    expect([service.name, service.port.name]).toEqual([
      of('Service').metadata.name,
      of('Service').spec.ports[0].name,
    ])
    expect(container.envFrom).toEqual([
      { secretRef: { name: of('Secret').metadata.name } },
      { configMapRef: { name: of('ConfigMap').metadata.name } },
    ])
    const volumes = spec.template.spec.volumes.map(({ name }: { name: string }) => name)
    expect(container.volumeMounts.map(({ name }: { name: string }) => name)).toEqual(volumes)
  })

  test('give settings that a server starts with, at the address that the ingress serves', () => {
    const env = readEnv({ ...of('Secret').stringData, ...of('ConfigMap').data, NODE_ENV: 'production' })
    expect(new URL(env.BETTER_AUTH_URL ?? '').host).toBe(of('Ingress').spec.rules[0].host)
  })

  test('run without rights on a read-only root, and ask the server’s health', () => {
    expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    expect(container.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    })
    for (const probe of [container.startupProbe, container.readinessProbe])
      expect(apiDocument.paths).toHaveProperty([probe.httpGet.path])
  })
})
