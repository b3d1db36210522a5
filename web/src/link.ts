// A scenario in the address of the page: what follows # never leaves the browser.
import { bytes_of } from "./data";

// What the page shows.
export interface Shared {
  gallery?: string; // by name, as it is
  text?: string;
  set?: [string, string][];
  scheme?: string;
  beside?: string; // the scheme it is compared with
}

const longest = 200_000; // characters of an address

async function through(bytes: BufferSource, stream: CompressionStream | DecompressionStream): Promise<ArrayBuffer> {
  return new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();
}

export async function fragment_of(shared: Shared): Promise<string> {
  if (shared.gallery && !shared.scheme && !shared.beside) return `#g=${encodeURIComponent(shared.gallery)}`;
  const packed = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream("deflate-raw"));
  const text = btoa(String.fromCharCode(...new Uint8Array(packed)));
  return `#s=${text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

// Nothing for an address without one, or a broken one. Whatever comes is text, and checked to be.
export async function shared_of(fragment: string): Promise<Shared | null> {
  try {
    if (fragment.startsWith("#g=")) return { gallery: decodeURIComponent(fragment.slice(3)) };
    if (!fragment.startsWith("#s=") || fragment.length > longest) return null;
    const plain = fragment.slice(3).replace(/-/g, "+").replace(/_/g, "/");
    const bytes = await through(bytes_of(plain + "=".repeat((4 - (plain.length % 4)) % 4)), new DecompressionStream("deflate-raw"));
    return checked(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

function checked(value: unknown): Shared | null {
  if (typeof value !== "object" || value === null) return null;
  const from = value as Record<string, unknown>;
  const word = (name: string) => (typeof from[name] === "string" ? (from[name] as string) : undefined);
  const pairs = Array.isArray(from.set) ? from.set.filter((pair): pair is [string, string] => Array.isArray(pair) && pair.length === 2 && pair.every((one) => typeof one === "string")) : undefined;
  return { gallery: word("gallery"), text: word("text"), set: pairs, scheme: word("scheme"), beside: word("beside") };
}
