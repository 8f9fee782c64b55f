export { onBehalfOf } from '@/lib/db'
export { type AuditEvent, type AuditFields, accountMark, audit } from './audit'

export { FloodGate } from './flood-gate'
export { HealthProbe } from './health-probe'

export { logError } from './log'
export { OpenStreams, type StreamReader } from './open-streams'
export { sayingOf } from './outline-error'
export { auditQuota } from './quota'
export { createServices, createWorker, getServices, type Services } from './services'
export { openTelemetry, streamBegins, type Telemetry, telemetry } from './telemetry'
export { within } from './within'
