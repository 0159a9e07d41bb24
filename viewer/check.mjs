// Checks the types of the viewer: node check.mjs FOLDER, where FOLDER/node_modules holds the compiler.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? here);
const modules = join(folder, 'node_modules');
const compiler = join(modules, 'typescript/bin/tsc');
if (!existsSync(compiler)) {
  console.log('no TypeScript in ' + modules + ': configure with -DTALUS_TESTS=ON');
  process.exit(77);
}
// The packages are in the build folder, the sources are not: the paths say so.
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({
  extends: join(here, 'tsconfig.json'),
  compilerOptions: { types: [], paths: { three: [join(modules, '@types/three')], 'three/*': [join(modules, '@types/three/*')] } },
  include: [join(here, 'src')],
}));
const done = spawnSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.json')], { stdio: 'inherit' });
process.exit(done.status ?? 1);
