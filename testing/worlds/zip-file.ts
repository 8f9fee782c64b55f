import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string
  bytes: Buffer | string
  /** What the archive says of it, where that is not the truth. */
  claims?: { encrypted?: boolean; size?: number; checksum?: number }
  isStored?: boolean
}

/** The bytes of a zip, also of one that no program would write. With `zip64`, its directory is found as that of a large one is. */
export function zipOf(entries: readonly ZipEntry[], { zip64 = false } = {}): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes, claims = {}, isStored = false } of entries) {
    const raw = Buffer.from(bytes)
    const packed = isStored ? raw : deflateRawSync(raw)
    const label = Buffer.from(name)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(zip64 ? 45 : 20, 0)
    facts.writeUInt16LE(0x0800 | (claims.encrypted ? 1 : 0), 2)
    facts.writeUInt16LE(isStored ? 0 : 8, 4)
    facts.writeUInt32LE(claims.checksum ?? crc32(raw), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(claims.size ?? raw.length, 18)
    facts.writeUInt16LE(label.length, 22)
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), facts, label, packed])
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(45, 4)
    facts.copy(central, 6, 0, 26)
    central.writeUInt32LE(offset, 42)
    directory.push(central, label)
    bodies.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(zip64 ? 0xffff : entries.length, 8)
  end.writeUInt16LE(zip64 ? 0xffff : entries.length, 10)
  end.writeUInt32LE(zip64 ? 0xffffffff : central.length, 12)
  end.writeUInt32LE(zip64 ? 0xffffffff : offset, 16)
  const far = zip64 ? [farEnd(entries.length, central.length, offset)] : []
  return Buffer.concat([...bodies, central, ...far, end])
}

function farEnd(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(45, 12)
  record.writeUInt16LE(45, 14)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator])
}
