package org.heddle.text.opensm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.text.Fixtures;
import org.heddle.text.Mutations;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Source;
import org.heddle.text.TableSamples;
import org.heddle.text.opensm.PartitionsConf.Definition;
import org.heddle.text.opensm.PartitionsConf.GroupFlags;
import org.heddle.text.opensm.PartitionsConf.Member;
import org.heddle.text.opensm.PartitionsConf.MemberKind;
import org.heddle.text.opensm.PartitionsConf.Membership;
import org.heddle.text.opensm.PartitionsConf.MulticastGroup;
import org.junit.jupiter.api.Test;

/**
 * Expectations marked "tried" were tried on OpenSM 3.3.23 with ibsim, three hosts on a switch, by
 * reading the P_Key tables.
 */
class PartitionsConfTest {
  private static final String DROPPED =
      "; OpenSM would drop the whole file and make every port a full member of the default"
          + " partition";

  private static Parsed<PartitionsConf> read(String text) {
    return PartitionsConfReader.read(
        new Source("p.conf", text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private static List<String> messages(String text) {
    return read(text).problems().stream().map(Problem::toString).toList();
  }

  private static PartitionsConf clean(String text) {
    assertThat(messages(text)).isEmpty();
    return read(text).get();
  }

  private static void assertDropped(String text, String message) {
    assertThat(read(text).ok()).isFalse();
    assertThat(messages(text)).last().isEqualTo(message + DROPPED);
  }

  /** Members as {@code kind-or-guid=membership}. */
  private static List<String> members(Definition d) {
    List<String> out = new ArrayList<>();
    for (Member m : d.members()) {
      out.add(
          (m.kind() == MemberKind.GUID ? Long.toHexString(m.guid()) : m.kind().name())
              + "="
              + m.membership());
    }
    return out;
  }

  @Test
  void readsAPlainFile() {
    PartitionsConf conf =
        clean(
            """
            # tenants
            Default=0x7fff,ipoib : ALL=limited, ALL_SWITCHES=full, SELF=full ;
            tenantA=0x0101 , defmember=full : 0x100001, 0x100003=limited, 17;   # comment; with = : ,
            tenantB=0x8102, indx0, rate=7, mtu=5, sl=3, scope=2, scope=5 : ALL_CAS, ALL_ROUTERS=both;
            """);
    assertThat(conf.definitions()).hasSize(3);
    Definition a = conf.definitions().get(1);
    assertThat(a.line()).isEqualTo(3);
    assertThat(a.name()).isEqualTo("tenantA");
    assertThat(a.pkey()).isEqualTo(0x101);
    assertThat(a.defaultMembership()).isEqualTo(Membership.FULL);
    assertThat(members(a)).containsExactly("100001=FULL", "100003=LIMITED", "11=FULL");
    Definition b = conf.definitions().get(2);
    assertThat(b.pkey()).as("membership bit cut").isEqualTo(0x102);
    assertThat(b.indexZero()).isTrue();
    assertThat(b.ipoib()).isFalse();
    assertThat(b.flags()).isEqualTo(new GroupFlags(5, 7, 3, 1 << 2 | 1 << 5, 0, 0, 0));
    assertThat(members(b)).containsExactly("ALL_CAS=LIMITED", "ALL_ROUTERS=BOTH");
    assertThat(conf.definitions().get(0).ipoib()).isTrue();
  }

  @Test
  void keywordsMayBeAbbreviatedAndTheFirstInOpensmsOrderWins() {
    PartitionsConf conf =
        clean("P=1,i,d=f,m=3,r=2,s=4,in,T=9,F=5,Q=6: A=b,AL=l,ALL_=li,ALL_S=fu,ALL_R,S,N,NONE=x;");
    Definition d = conf.definitions().get(0);
    assertThat(members(d))
        .containsExactly(
            "ALL=BOTH",
            "ALL=LIMITED",
            "ALL_CAS=LIMITED",
            "ALL_SWITCHES=FULL",
            "ALL_ROUTERS=FULL",
            "SELF=FULL");
    assertThat(d.ipoib()).isTrue();
    assertThat(d.indexZero()).isTrue();
    assertThat(d.flags()).isEqualTo(new GroupFlags(3, 2, 0, 1 << 4, 6, 9, 5));
  }

  @Test
  void definitionsGoOverLinesWithOrWithoutCommas() {
    PartitionsConf conf = clean("P = 1 :\n 0x1,\n\n 0x2\n 0x3=full ; Q=2:0x4;R=3:\n0x5;");
    assertThat(conf.definitions()).hasSize(3);
    assertThat(members(conf.definitions().get(0)))
        .containsExactly("1=LIMITED", "2=LIMITED", "3=FULL");
    assertThat(members(conf.definitions().get(1))).containsExactly("4=LIMITED");
    assertThat(members(conf.definitions().get(2))).containsExactly("5=LIMITED");
  }

  /** OpenSM takes it; so does nobody notice that half of a file is missing. */
  @Test
  void anEndWithoutASemicolonIsSaid() {
    assertThat(
            members(
                PartitionsConfReader.read(Source.of("p.conf", "P=1:0x1;\nR=3:0x5,\n0x6\n"))
                    .get()
                    .definitions()
                    .get(1)))
        .containsExactly("5=LIMITED", "6=LIMITED");
    assertThat(messages("P=1:0x1;\nR=3:0x5,\n0x6\n"))
        .containsExactly(
            "p.conf:3: warning: the last definition, 'R', does not end with ';': OpenSM takes it as"
                + " far as it goes; was the file cut off?");
  }

  @Test
  void keysAreGeneratedAsOpensmDoes() {
    // tried: H2 gets 0x8001 0x8002, H3 0x8001 0x0003
    PartitionsConf conf = clean("P:0x3=full;\n0x0:0x3=full;\nP:0x5=full;Q=0x8000:0x5;\n");
    assertThat(conf.definitions()).extracting(Definition::pkey).containsExactly(1, 2, 1, 3);
    assertThat(conf.definitions()).allMatch(Definition::autoKey);
    assertThat(clean("0x8001 : ALL=full;").definitions().get(0).pkey()).isEqualTo(1);
    assertThat(clean("Default:ALL=full;").definitions().get(0).pkey()).isEqualTo(0x7fff);
    assertThat(messages("A=1:ALL;B:ALL;C=2:ALL;"))
        .containsExactly(
            "p.conf:1: warning: P_Key 0x0002 is that of partition 'B'; OpenSM merges 'C' into it");
    assertThat(clean(":0x3;").definitions().get(0).pkey()).as("tried").isEqualTo(1);
  }

  @Test
  void whatMakesOpensmDropTheFileIsAnError() {
    assertDropped(
        "ALL=full;",
        "p.conf:1: no partition definition found, expected" + " 'Name=0xKEY, flags : ports ;'");
    assertDropped("2nd:0x3=full;", "p.conf:1: bad partition definition '2nd'"); // tried
    assertDropped("T=x:ALL;", "p.conf:1: bad partition definition 'T=x'");
    assertDropped("T=:ALL;", "p.conf:1: bad partition definition 'T='");
    assertDropped("\nT=1:0x1,H1;", "p.conf:2: bad port GUID 'H1'"); // tried
    assertDropped("T=1:0x1,\n0=full;", "p.conf:2: bad port GUID '0'");
    assertDropped("T=1:0x1 0x2;", "p.conf:1: bad port GUID '0x1 0x2'");
    assertDropped("S = 0x80 : defmember=limited : 0x1;", "p.conf:1: bad port GUID 'defmember'");
    assertDropped(
        "T=1:0x1, \\\n0x2;",
        "p.conf:1: bad port GUID '\\' (lines are not continued with a backslash; leave it out)");
    assertDropped(
        "T=1:ALL_VCAS=full;",
        "p.conf:1: bad port GUID 'ALL_VCAS' (a keyword that only NVIDIA's OpenSM knows, or none)");
    assertDropped(
        "T=1:946dae0300001000;", "p.conf:1: bad port GUID '946dae0300001000' (0x is missing)");
    assertDropped(
        "T=1:n[01-04];",
        "p.conf:1: bad port GUID 'n[01-04]' (names, ranges and wildcards are not known; list each"
            + " port's GUID)");
    assertDropped(
        "T=7fff:ALL;",
        "p.conf:1: bad partition definition 'T=7fff' (a key is decimal, or hexadecimal after 0x)");
    assertDropped("T=1 : mgid ;", "p.conf:1: mgid without a value makes OpenSM crash");
  }

  @Test
  void carriageReturnsMakeOpensmDropTheFile() {
    // tried
    assertDropped(
        "T1=0x8001:0x100003=full;\r\n",
        "p.conf:1: no partition definition found, expected 'Name=0xKEY, flags : ports ;' (the line"
            + " ends in CR LF, and OpenSM knows no CR)");
    assertDropped(
        "T1=0x8001:\r\n0x3;",
        "p.conf:1: bad port GUID '?' (the line ends in CR LF, and OpenSM knows no CR)");
    clean("# comment\r\nT1=1:0x3; # x\r\n");
  }

  @Test
  void aFileWithoutDefinitionOpensUpTheFabric() {
    for (String text : List.of("", "\n", "# nothing\n")) { // tried
      assertThat(read(text).ok()).isFalse();
      assertThat(messages(text)).hasSize(1).first().asString().contains("full member");
    }
  }

  @Test
  void aLoneSemicolonReadsLeftoversOfEarlierLines() {
    // tried: PARSE ERROR at line 4
    String text = "T1=1 :\n  0x100003=full,\n  0x100005=full\n;\n";
    assertThat(read(text).ok()).isFalse();
    assertThat(messages(text)).hasSize(2);
    assertThat(messages(text).get(0))
        .startsWith("p.conf:4: warning: a ';' without an entry before it");
    assertThat(messages(text).get(1))
        .startsWith("p.conf:4: no partition definition found")
        .contains("(read from leftovers of earlier lines)");
    assertThat(read("T=1:-5,0100003,0x100003 ;;\n").ok()).as("tried").isFalse();
  }

  @Test
  void anMgidTakesTheRestOfItsLine() {
    Definition d =
        clean(
                "T=1,ipoib:mgid=ff12:401b::2,mtu=4,sl=1\n"
                    + "mgid=ff12::7:1,Q_Key=0xDEADBEEF,rate=6\n"
                    + "0x3;")
            .definitions()
            .get(0);
    assertThat(d.groups())
        .containsExactly(
            new MulticastGroup("ff12:401b:0:0:0:0:0:2", new GroupFlags(4, 3, 1, 0, 0, 0, 0)),
            new MulticastGroup("ff12:0:0:0:0:0:7:1", new GroupFlags(4, 6, 0, 0, 0xdeadbeef, 0, 0)));
    assertThat(members(d)).containsExactly("3=LIMITED");
    // tried: with a comma the semicolon ends the definition, without one the rest is lost
    assertThat(clean("T1=1,ipoib:mgid=ff12:401b::2,sl=1 ; T2=2:0x3;\n").definitions()).hasSize(2);
    String lost = "T1=1,ipoib:mgid=ff12:401b::2; T2=2:0x3;\n";
    assertThat(read(lost).get().definitions()).hasSize(1);
    assertThat(messages(lost)).first().asString().contains("takes what follows for flags: 'T2=2");
    assertThat(messages("T=1,ipoib:mgid=ff12:401b::2 # mtu=3\nNONE;"))
        .anyMatch(m -> m.contains("takes what follows for flags"))
        .anyMatch(m -> m.contains("need the rate and mtu of their partition"));
  }

  @Test
  void groupsThatOpensmDoesNotMakeAreReported() {
    assertThat(messages("T=1:mgid=ff12:401b::2,sl=0\nNONE;"))
        .containsExactly( // tried
            "p.conf:1: warning: OpenSM does not make the group ff12:401b:0:0:0:0:0:2: the"
                + " partition is not ipoib, so that there is no broadcast group");
    assertThat(messages("T=1,ipoib:mgid=ff12:401b:8001::2,sl=0\nNONE;"))
        .singleElement()
        .asString()
        .contains("its P_Key bits are not 0 and not 0x0001");
    assertThat(messages("T=1,ipoib:mgid=ff12:401b::2,rate=6\nNONE;"))
        .singleElement()
        .asString()
        .contains("IP groups need the rate and mtu");
    assertThat(messages("T=1,ipoib:mgid=fe80::1\nNONE;"))
        .singleElement()
        .asString()
        .contains("is not multicast");
    clean("T=1,ipoib:mgid=ff12:401b:ffff::255.255.255.255,sl=0\nNONE;");
  }

  @Test
  void whatOpensmPassesOverIsAWarning() {
    assertThat(messages("T1=0x8001,foo,mtu=4 rate=3,sl=99,defmember=x:0x3=,0x5=lim,0x1=xx;"))
        .containsExactly( // the last three tried
            "p.conf:1: warning: unknown partition flag 'foo', OpenSM ignores it",
            "p.conf:1: warning: '4 rate=3' is more than the value of mtu, OpenSM ignores what"
                + " follows the number; flags are separated by commas",
            "p.conf:1: warning: sl needs 0..15, OpenSM ignores '99'",
            "p.conf:1: warning: defmember needs limited, full or both; OpenSM ignores 'x'",
            "p.conf:1: warning: '0x3=' without a word makes a full member",
            "p.conf:1: warning: unknown membership 'xx', OpenSM takes limited");
    assertThat(messages("T=0x12345,mtu=2048,,rate:0100003;"))
        .containsExactly(
            "p.conf:1: warning: mtu=2048 is no InfiniBand mtu code (1..5)",
            "p.conf:1: warning: empty flag, OpenSM takes it for mtu",
            "p.conf:1: warning: rate without a value",
            "p.conf:1: warning: P_Key 0x12345 has more than 16 bits, the lowest count",
            "p.conf:1: warning: port GUID 0100003 without 0x is read as an octal number");
    assertThat(messages("T=1:0x3;\0 U=2:0x5;\n")) // tried
        .containsExactly(
            "p.conf:1: warning: NUL character: OpenSM does not see the rest of the line");
  }

  @Test
  void longLinesAreReadInPieces() {
    // tried: line 1 is cut behind '0x100003', so that the list goes on in the next piece
    StringBuilder line = new StringBuilder("T1=1,defmember=full:");
    while (line.length() < 4090) {
      line.append("0xa00000,");
    }
    line.setLength(4090);
    String cutInToken = line + "0x100003, 0x5;\n";
    assertThat(messages(cutInToken).get(0))
        .startsWith("p.conf:1: warning: line is longer than 4094 characters")
        .contains("the cut is inside '");
    String comment = "T1=1:0x100003; #" + " ".repeat(4078) + ",T2=2:0x100005;\nT3=3:0x1;";
    Parsed<PartitionsConf> parsed = read(comment);
    // tried: the end of the comment becomes a partition with a flag T2
    assertThat(parsed.get().definitions()).hasSize(3);
    assertThat(members(parsed.get().definitions().get(1))).containsExactly("100005=LIMITED");
    assertThat(parsed.get().definitions().get(2).line()).isEqualTo(2);
    String fits = "T1=1:0x1;" + " ".repeat(4094 - 10) + "\nT2=2:0x1;";
    assertThat(clean(fits).definitions()).hasSize(2);
    assertThat(messages("T1=1:0x100003; #" + "x".repeat(4100))).as("tried").hasSize(2);
  }

  @Test
  void theWriterSpellsEverythingOut() {
    PartitionsConf conf =
        clean(
            "P,ipoib,i,indx0,sl=2,scope=2,TClass=7,defmember=both:0x1,ALL=full,0x3=l\n"
                + "mgid=ff12:401b::2,sl=3,scope=3\nNONE;");
    assertThat(new String(PartitionsConfWriter.write(conf), StandardCharsets.US_ASCII))
        .isEqualTo(
            """
            P=0x0001, indx0, ipoib, sl=2, scope=2, TClass=7, defmember=both :
              mgid=ff12:401b:0:0:0:0:0:2,mtu=4,rate=3,sl=3,scope=3
              0x0000000000000001=both, ALL=full,
              0x0000000000000003=limited ;
            """);
  }

  @Test
  void namesAreMadeHarmlessAndEmptyPartitionsStay() {
    PartitionsConf conf =
        new PartitionsConf(
            List.of(
                Definition.of("  a,b:c;d=e#f\ng\u00e4" + "x".repeat(40), 2, false, List.of()),
                Definition.of("2nd", 0x7ffe, true, List.of(Member.of(5, Membership.FULL))),
                Definition.of("", 3, false, List.of())));
    assertThat(new String(PartitionsConfWriter.write(conf), StandardCharsets.US_ASCII))
        .isEqualTo(
            """
            a_b_c_d_e_f_g_xxxxxxxxxxxxxxx=0x0002 :
              NONE ;
            2nd=0x7ffe, ipoib :
              0x0000000000000005=full ;
            =0x0003 :
              NONE ;
            """);
    assertThatThrownBy(() -> PartitionsConfWriter.write(new PartitionsConf(List.of())))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void tenThousandPortsStayFarBelowTheLineLimit() {
    List<Member> members = new ArrayList<>();
    for (int i = 1; i <= 10_000; i++) {
      members.add(Member.of(-i, Membership.FULL));
    }
    PartitionsConf conf = new PartitionsConf(List.of(Definition.of("big", 1, false, members)));
    String text = new String(PartitionsConfWriter.write(conf), StandardCharsets.US_ASCII);
    assertThat(text.lines().mapToInt(String::length).max().getAsInt()).isLessThan(80);
    assertThat(PartitionsConfWriter.canonical(clean(text))).isEqualTo(conf);
  }

  @Test
  void whateverIsReadCanBeWrittenAndReadBack() {
    String seed =
        "Default=0x7fff,ipoib:ALL=full;\nT1=1,rate=3,defmember=full:0x1,0x3=limited,SELF\n"
            + "mgid=ff12:401b::16,sl=1,mtu=4\n0x5=both;# x\nP,indx0:ALL_CAS;0x9:NONE;\n";
    SplittableRandom random = new SplittableRandom(11);
    int usable = 0;
    for (int i = 0; i < 2000; i++) {
      Parsed<PartitionsConf> parsed =
          PartitionsConfReader.read(
              new Source("f", Mutations.mutate(seed.getBytes(StandardCharsets.US_ASCII), random)));
      if (parsed.ok()) {
        usable++;
        byte[] written = PartitionsConfWriter.write(parsed.get());
        assertThat(
                PartitionsConfWriter.write(
                    PartitionsConfReader.read(new Source("w", written)).get()))
            .isEqualTo(written);
        parsed.get().members(TableSamples.addressed());
      }
    }
    assertThat(usable).isBetween(100, 1900);
    for (int length = 0; length < seed.length(); length++) {
      read(seed.substring(0, length)).problems();
    }
  }

  @Test
  void filesOfEveryFormHaveTheirPartitions() throws IOException {
    PartitionsConf lines = fixture("one-line-each.conf");
    assertThat(lines.definitions())
        .extracting(Definition::pkey)
        .containsExactly(0x7fff, 0x11, 0x12, 0x1001);
    assertThat(fixture("rate-and-mtu.conf").definitions().get(0).flags())
        .isEqualTo(new GroupFlags(5, 12, 2, 1 << 5, 0, 0, 0));
    // a comment behind an mgid and no comma: the lines that follow read as flags
    Parsed<PartitionsConf> groups =
        PartitionsConfReader.read(Fixtures.source("partitions/multicast-groups.conf"));
    assertThat(groups.get().definitions()).hasSize(2);
    assertThat(groups.get().definitions().get(1).groups()).hasSize(5);
    assertThat(groups.problems()).allMatch(p -> p.severity() == Problem.Severity.WARNING);
    PartitionsConf forms =
        PartitionsConfReader.read(Fixtures.source("partitions/every-form.conf")).get();
    assertThat(forms.definitions()).hasSize(12);
    assertThat(forms.definitions()).extracting(Definition::pkey).endsWith(0x90, 801, 801, 0x7fff);
    assertThat(forms.definitions().get(2).members())
        .contains(Member.of(0x100003, Membership.LIMITED));
  }

  private static PartitionsConf fixture(String name) throws IOException {
    Parsed<PartitionsConf> parsed =
        PartitionsConfReader.read(Fixtures.source("partitions/" + name));
    assertThat(parsed.problems()).isEmpty();
    return parsed.get();
  }
}
