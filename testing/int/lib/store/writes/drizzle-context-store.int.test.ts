import { describe } from 'vitest'
import { describeEngineContract } from '@/testing/contracts/engine-contract'
import { describeStoreContract } from '@/testing/contracts/store-contract'
import { storeKinds } from '@/testing/worlds/open-stores'

for (const { name, open, missing } of storeKinds) {
  describe.skipIf(missing)(name, () => {
    describeStoreContract(`DrizzleContextStore on ${name}`, open)
    describeEngineContract(`ContextEngine on ${name}`, open)
  })
}
