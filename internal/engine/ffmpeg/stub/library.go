package stub

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
)

// symbol is a name that somebody needs of a library that is not loaded.
type symbol struct {
	name    string
	version string // empty means none
	size    uint64 // bytes of what is data, and 0 of a function
}

// page is what the parts of a library that are mapped in different ways lie apart.
const page = 64 << 10 // the largest that ARM has; x86 has 4 KiB

// soname is what the library calls itself, which its first version carries too.
const soname = "libstub.so"

// returnZero is the code of a function that returns 0, as a number of either kind, whatever it is called with; false where
// we have none.
func returnZero(machine elf.Machine) ([]byte, bool) {
	switch machine {
	case elf.EM_X86_64:
		return []byte{0x0f, 0x57, 0xc0, 0x31, 0xc0, 0xc3}, true // xorps xmm0, xmm0; xor eax, eax; ret
	case elf.EM_AARCH64:
		return []byte{0xe0, 0x03, 0x67, 0x9e, 0x00, 0x00, 0x80, 0xd2, 0xc0, 0x03, 0x5f, 0xd6}, true // fmov d0, xzr; mov x0, #0; ret
	default:
		return nil, false
	}
}

// library writes a shared library in which every function returns 0 and all data are 0. It has what the loader reads and
// no more: no sections, no relocations. The code must be of the machine.
//
// The file lies in memory as it lies on the disk, but that data, which are all zeros, follow it there.
func library(machine elf.Machine, code []byte, symbols []symbol) []byte {
	names := newTable(soname)
	versions, indices := versionsOf(symbols, names)

	var syms, versym bytes.Buffer
	put(&syms, elf.Sym64{})
	put(&versym, uint16(0))

	data := uint64(0)
	for _, s := range symbols {
		y := elf.Sym64{Name: names.add(s.name), Shndx: 1, Size: s.size}
		if s.size > 0 {
			y.Info = elf.ST_INFO(elf.STB_GLOBAL, elf.STT_OBJECT)
			y.Value = data // from the start of all data, until that is known
			data += (s.size + 63) &^ 63
		} else {
			y.Info = elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC)
			y.Size = uint64(len(code))
		}
		put(&syms, y)
		put(&versym, indices[s.version])
	}

	const header, programs = 64, 56
	read := layout{at: header + 5*programs}
	symtab := read.add(syms.Bytes())
	strtab := read.add(names.bytes())
	hashes := read.add(hashTable(symbols))
	verdef := read.add(versions)
	vers := read.add(versym.Bytes())
	text := align(read.at, page)
	dynamic := align(text+uint64(len(code)), page)

	var dyn bytes.Buffer
	for _, d := range []elf.Dyn64{
		{Tag: int64(elf.DT_SONAME), Val: uint64(names.add(soname))},
		{Tag: int64(elf.DT_HASH), Val: hashes},
		{Tag: int64(elf.DT_STRTAB), Val: strtab},
		{Tag: int64(elf.DT_SYMTAB), Val: symtab},
		{Tag: int64(elf.DT_STRSZ), Val: uint64(names.len())},
		{Tag: int64(elf.DT_SYMENT), Val: 24},
		{Tag: int64(elf.DT_VERSYM), Val: vers},
		{Tag: int64(elf.DT_VERDEF), Val: verdef},
		{Tag: int64(elf.DT_VERDEFNUM), Val: uint64(len(indices))},
		{Tag: int64(elf.DT_NULL)},
	} {
		put(&dyn, d)
	}
	zeros := align(dynamic+uint64(dyn.Len()), 64)

	file := make([]byte, dynamic+uint64(dyn.Len()))
	var head bytes.Buffer
	put(&head, elf.Header64{
		Ident: [elf.EI_NIDENT]byte{
			0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT),
		},
		Type: uint16(elf.ET_DYN), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT),
		Phoff: header, Ehsize: header, Phentsize: programs, Phnum: 5,
	})
	segment := func(kind elf.ProgType, flags elf.ProgFlag, at, size, inMemory, alignment uint64) {
		put(&head, elf.Prog64{
			Type: uint32(kind), Flags: uint32(flags), Off: at, Vaddr: at, Paddr: at, Filesz: size, Memsz: inMemory, Align: alignment,
		})
	}
	segment(elf.PT_LOAD, elf.PF_R, 0, read.at, read.at, page)
	segment(elf.PT_LOAD, elf.PF_R|elf.PF_X, text, uint64(len(code)), uint64(len(code)), page)
	segment(elf.PT_LOAD, elf.PF_R|elf.PF_W, dynamic, uint64(dyn.Len()), zeros+data-dynamic, page)
	segment(elf.PT_DYNAMIC, elf.PF_R|elf.PF_W, dynamic, uint64(dyn.Len()), uint64(dyn.Len()), 8)
	segment(elf.PT_GNU_STACK, elf.PF_R|elf.PF_W, 0, 0, 0, 16)

	copy(file, head.Bytes())
	for _, part := range read.parts {
		copy(file[part.at:], part.bytes)
	}
	place(file[symtab:], symbols, text, zeros)
	copy(file[text:], code)
	copy(file[dynamic:], dyn.Bytes())
	return file
}

// place gives each symbol its address.
func place(table []byte, symbols []symbol, text, zeros uint64) {
	for i, s := range symbols {
		value := table[(i+1)*elf.Sym64Size+8:]
		if s.size > 0 {
			binary.LittleEndian.PutUint64(value, zeros+binary.LittleEndian.Uint64(value))
		} else {
			binary.LittleEndian.PutUint64(value, text)
		}
	}
}

// versionsOf is the table of versions, the library's own name first, and the number of each.
func versionsOf(symbols []symbol, names *table) ([]byte, map[string]uint16) {
	all, indices := []string{soname}, map[string]uint16{"": 1}
	for _, s := range symbols {
		if indices[s.version] == 0 {
			all = append(all, s.version)
			indices[s.version] = uint16(len(all))
		}
	}

	var b bytes.Buffer
	for i, version := range all {
		const definition, name = 20, 8
		d := verdef{Version: 1, Index: uint16(i + 1), Names: 1, Hash: hash(version), Name: definition, Next: definition + name}
		if i == 0 {
			d.Flags = 1 // it names the library
		}
		if i == len(all)-1 {
			d.Next = 0
		}
		put(&b, d)
		put(&b, [2]uint32{names.add(version), 0})
	}
	return b.Bytes(), indices
}

// verdef is Elf64_Verdef, which debug/elf has not.
type verdef struct {
	Version, Flags, Index, Names uint16
	Hash, Name, Next             uint32
}

// hashTable finds symbols by their names, as the System V ABI has it: as many buckets as symbols, and chains.
func hashTable(symbols []symbol) []byte {
	n := uint32(len(symbols) + 1)
	buckets, chains := make([]uint32, n), make([]uint32, n)
	for i, s := range symbols {
		bucket := &buckets[hash(s.name)%n]
		chains[i+1] = *bucket
		*bucket = uint32(i + 1)
	}

	var b bytes.Buffer
	put(&b, [2]uint32{n, n})
	put(&b, buckets)
	put(&b, chains)
	return b.Bytes()
}

// hash is that of the System V ABI.
func hash(name string) uint32 {
	h := uint32(0)
	for i := range len(name) {
		h = h<<4 + uint32(name[i])
		h ^= h >> 24 & 0xf0
		h &= 0xfffffff
	}
	return h
}

// table is a table of strings that are told by where they begin.
type table struct {
	b  bytes.Buffer
	at map[string]uint32
}

func newTable(first string) *table {
	t := &table{at: map[string]uint32{}}
	t.b.WriteByte(0)
	t.add(first)
	return t
}

func (t *table) add(s string) uint32 {
	if at, ok := t.at[s]; ok {
		return at
	}
	at := uint32(t.b.Len())
	t.at[s] = at
	t.b.WriteString(s)
	t.b.WriteByte(0)
	return at
}

func (t *table) bytes() []byte { return t.b.Bytes() }
func (t *table) len() int      { return t.b.Len() }

// layout lays parts one behind the other.
type layout struct {
	at    uint64
	parts []part
}

type part struct {
	at    uint64
	bytes []byte
}

func (l *layout) add(b []byte) uint64 {
	at := align(l.at, 8)
	l.parts = append(l.parts, part{at, b})
	l.at = at + uint64(len(b))
	return at
}

func align(n, to uint64) uint64 { return (n + to - 1) / to * to }

// put writes what a buffer cannot refuse.
func put(b *bytes.Buffer, v any) { _ = binary.Write(b, binary.LittleEndian, v) }
