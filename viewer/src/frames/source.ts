// Where frames come from: out of the page itself, or from the server that sent it. Both keep the frames that were asked for last.

import { decodeBlock, decodeGeometry, type Geometry } from './codec';
import type { Frame, Meta } from './frame';

/** A frame of the list that the page plays: its place in the run, and whether it has contacts. */
export interface Entry {
  number: number;
  time: number;
  step: number;
  contacts: boolean;
}

export interface Source {
  meta: Meta;
  geometry: Geometry;
  entries: Entry[];
  isServed: boolean;
  /** Rejects with words for the reader when the frame cannot be had. */
  frame(k: number): Promise<Frame>;
  /** Called with what changed, while a run goes on. */
  onGrowth?: (entries: number, state: string) => void;
}

async function inflate(bytes: Uint8Array): Promise<ArrayBuffer> {
  if (typeof DecompressionStream === 'undefined') throw new Error('This browser is too old to unpack the frames: it lacks DecompressionStream (Chrome 80, Firefox 113, Safari 16.4 have it).');
  const stream = new Blob([bytes as unknown as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

function fromBase64(text: string): Uint8Array {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Keeps what was used last, up to a number of bodies in all. */
class Shelf<T> {
  private items = new Map<number, { value: Promise<T>; size: number }>();
  private total = 0;
  constructor(private readonly room: number) {}
  get(key: number, size: number, make: () => Promise<T>): Promise<T> {
    const known = this.items.get(key);
    if (known) {
      this.items.delete(key);
      this.items.set(key, known);
      return known.value;
    }
    const value = make();
    value.catch(() => this.drop(key)); // a failure may pass: ask again next time
    this.items.set(key, { value, size });
    this.total += size;
    for (const old of this.items.keys()) {
      if (this.total <= this.room || old === key) break;
      this.drop(old);
    }
    return value;
  }
  private drop(key: number): void {
    const item = this.items.get(key);
    if (!item) return;
    this.items.delete(key);
    this.total -= item.size;
  }
}

const ROOM = 3_000_000; // bodies and contacts kept unpacked: about half a gigabyte at worst

class Embedded implements Source {
  readonly isServed = false;
  readonly entries: Entry[];
  private shelf = new Shelf<Frame[]>(ROOM);
  private packed = new Map<number, Uint8Array>();
  constructor(readonly meta: Meta, readonly geometry: Geometry) {
    this.entries = (meta.kept ?? []).map((row) => {
      const frame = meta.frames[row.number];
      return { number: row.number, time: frame.time, step: frame.step, contacts: row.contacts };
    });
  }
  async frame(k: number): Promise<Frame> {
    const row = this.meta.kept![k];
    const size = this.meta.kept!.filter((other) => other.block === row.block).reduce((sum, other) => sum + this.weight(other.number, other.contacts), 0);
    const frames = await this.shelf.get(row.block, size, () => this.unpack(row.block));
    const frame = frames[row.slot];
    if (!frame) throw new Error(`Frame ${row.number} is not in this page.`);
    return frame;
  }
  private weight(number: number, contacts: boolean): number {
    const frame = this.meta.frames[number];
    return frame.bodies + (contacts ? frame.contacts : 0);
  }
  private async unpack(block: number): Promise<Frame[]> {
    let bytes = this.packed.get(block);
    if (!bytes) {
      const element = document.getElementById(`talus-block-${block}`);
      if (!element) throw new Error('Frames are missing from this page; it may have been cut short.');
      bytes = fromBase64(element.textContent ?? '');
      this.packed.set(block, bytes);
      element.remove(); // a text of megabytes that nobody reads again
    }
    return decodeBlock(await inflate(bytes));
  }
}

class Served implements Source {
  readonly isServed = true;
  entries: Entry[] = [];
  onGrowth?: (entries: number, state: string) => void;
  private shelf = new Shelf<Frame>(ROOM);
  constructor(public meta: Meta, public geometry: Geometry) {
    this.list();
    if (meta.state === 'running') this.follow();
  }
  private list(): void {
    this.entries = this.meta.frames.map((row, number) => ({ number, time: row.time, step: row.step, contacts: this.meta.has_contacts }));
  }
  frame(k: number): Promise<Frame> {
    const row = this.meta.frames[k];
    return this.shelf.get(k, row.bodies + row.contacts, async () => {
      const frames = decodeBlock(await fetchBytes(`frame/${k}`));
      if (frames.length === 0) throw new Error(`The server sent nothing for frame ${k}.`);
      return frames[0];
    });
  }
  private follow(): void {
    const events = new EventSource('events');
    events.onmessage = async (event) => {
      const now = JSON.parse(event.data) as { frames: number; state: string };
      if (now.frames === this.entries.length && now.state === this.meta.state) return;
      try {
        this.meta = await fetchJson<Meta>('meta');
        this.geometry = decodeGeometry(await fetchBytes('geometry'));
      } catch {
        return; // the next event brings another chance
      }
      this.list();
      if (this.meta.state !== 'running') events.close();
      this.onGrowth?.(this.entries.length, this.meta.state);
    };
  }
}

async function ask(path: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { cache: 'no-store' });
  } catch {
    throw new Error('The server does not answer; is `talus view` still running?');
  }
  if (!response.ok) throw new Error((await response.text()).trim() || `The server answered ${response.status}.`);
  return response;
}
const fetchBytes = async (path: string): Promise<ArrayBuffer> => (await ask(path)).arrayBuffer();
const fetchJson = async <T>(path: string): Promise<T> => (await ask(path)).json() as Promise<T>;
export const fetchText = async (path: string): Promise<string> => (await ask(path)).text();

export async function openSource(): Promise<Source> {
  if (document.getElementById('talus-served')) {
    const [meta, geometry] = await Promise.all([fetchJson<Meta>('meta'), fetchBytes('geometry')]);
    return new Served(meta, decodeGeometry(geometry));
  }
  const meta = JSON.parse(document.getElementById('talus-meta')!.textContent ?? '{}') as Meta;
  const geometry = document.getElementById('talus-geometry')?.textContent ?? '';
  return new Embedded(meta, decodeGeometry(await inflate(fromBase64(geometry))));
}
