#!/usr/bin/env ruby
require 'a/b'
require_relative "../c"
# Doc.
module A::B
  class C < D::E
    include F
    attr_reader :x, :y
    LIMIT = %w[a b].freeze
    def self.make(a, b = 1, *c, k:, **o, &blk) = new(a)
    def run?(x) # c
      return unless x && @y || x =~ /a#{b}\//i
      items.each { |i| puts i } if x
      case x when Integer then 1 else 2 end
      begin; send(:z); rescue E => e then retry; ensure yield end
      foo <<~T, 'x' do |v; w|
        text #{a.b} "
      T
      end
      while x do x -= 1 end
      a&.b ? ->(z) { z } : :"s#{1}"
    end
    private def hidden; super; end
    class << self; def s() end; end
  end
end
__END__
data
